#pragma once

#include <span>
#include <string>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/problem/scenario.h"

namespace cubicbench::scenarios {

/// Reads a scenario by its name in the library, or by path when the text holds a '/'.
///
/// `sets` are the NAME=VALUE texts of `--set`: a setting changes the baseline, a dotted name one
/// field of the problem (`cluster.gpus=8192`, `workload.sequence=131072`).
/// Throws InputError with every problem found, in file order; problems of an override begin
/// `--set NAME=VALUE`. A baseline that the simulator cannot lay out is a problem of the file. With
/// overrides that is left to the simulator, whose answer is then `invalid`.
/// A table of runs is a problem: datasets::read_scenario() reads those too.
Scenario read_scenario(const std::string& name_or_path, std::span<const std::string> sets = {});

/// Where the document of a scenario comes from.
enum class Origin {
  file,    ///< somebody wrote it
  member,  ///< a family made it: its name is that of the family, '@' and a number
  draft    ///< likewise, and its baseline is still to be found: what it says of it is not checked
};

/// Reads a scenario out of a document that was looked up, or made, already.
Scenario read_scenario(Document document, std::span<const std::string> sets, Origin origin);

/// The scenario's baseline with these settings changed, as read_scenario() has it where they are
/// overrides: parameters that the space then knows to be inactive have the value of `settings`.
/// Requires other settings than `gpus`, which are of the scenario's kind of workload.
sim::Plan changed_baseline(const Scenario& scenario, std::span<const Assignment> settings);

/// Names of the library's scenarios that have a model, sorted: those that the above reads.
std::vector<std::string> model_scenarios();

}  // namespace cubicbench::scenarios
