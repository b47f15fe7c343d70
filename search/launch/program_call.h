#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/problem/scenario.h"
#include "search/launch/launcher.h"
#include "sim/plan/plan.h"

namespace cubicbench::search {

/// An option with its value in a program's own words.
struct SpokenOption {
  std::string name;
  std::optional<std::string> value;

  bool operator==(const SpokenOption&) const = default;
};

/// A setting of the plan that the program does not have.
struct OmittedSetting {
  const scenarios::Setting* setting = nullptr;
  std::string value;  ///< of the plan
  std::string why;

  bool operator==(const OmittedSetting&) const = default;
};

/// A plan for one program.
struct ProgramCall {
  std::vector<SpokenOption> options;
  std::vector<std::string> start;    ///< what starts the processes, and on how many nodes
  std::vector<std::string> command;  ///< the whole command, an argument an element
  std::string file_name{};           ///< of the Python file that has the options; "" without one
  std::string file_text{};
  std::vector<OmittedSetting> omitted;  ///< in the order of settings()
  std::vector<std::string> dry_run;  ///< the command of the program's own check; empty: it has none
};

/// How `plan` is asked of the program. What the program lacks, or has with another meaning only, is
/// in `omitted`; of settings that have no effect in this plan nothing is said. `model` names the
/// model; "" keeps the name that the launcher's file has. Throws InputError at `where` where the
/// program does not train such a workload.
ProgramCall program_call(const Launcher& launcher, const scenarios::Scenario& scenario,
                         const sim::Plan& plan, const std::string& model, const std::string& where);

/// The options alone, as they stand in a command; none of a workload that it does not train.
/// Requires a launcher whose options are words or pairs.
std::vector<std::string> option_words(const Launcher& launcher, const scenarios::Scenario& scenario,
                                      const sim::Plan& plan);

/// How many processes `launcher` starts on how many nodes: the options of its starting program.
std::vector<std::string> start_words(const Launcher& launcher, const scenarios::Scenario& scenario,
                                     const sim::Plan& plan);

}  // namespace cubicbench::search
