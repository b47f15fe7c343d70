#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "scenarios/problem/scenario.h"
#include "sim/base/units.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/parts.h"
#include "sim/program/step_program.h"
#include "sim/program/workspace.h"
#include "sim/workload/transformer.h"

namespace cubicbench::predictor {

/// A term of the step-time model, and how a step is timed without it: with other inputs, with a
/// program that lacks some work, or without a part of the answer. A run that has no such term takes
/// the same time without it, to the bit.
struct StepTerm {
  std::string_view name;
  std::string_view without;  ///< what is supposed instead, in words
  void (*change_inputs)(sim::Cluster&, sim::Stack&) = nullptr;
  void (*change_program)(const sim::Transformer&, const sim::Plan&, sim::StepProgram&) = nullptr;
  std::optional<sim::StepPart> part = std::nullopt;  ///< that is not counted
};

/// Every term that can be left out, those of the device's work first, then host, communication and
/// pipeline.
std::span<const StepTerm> step_terms();

/// Null when there is none of this name.
const StepTerm* find_step_term(std::string_view name);

/// The step of the scenario's baseline on `cluster` and `stack` without `term`; of the whole model
/// where it is null. A run that does not fit is timed as if memory held anything. Nothing is taken
/// from the program of a recommendation model. Requires a plan that can be laid out.
sim::Seconds step_without(const StepTerm* term, const scenarios::Scenario& scenario,
                          sim::Cluster cluster, sim::Stack stack, sim::Workspace& workspace);

}  // namespace cubicbench::predictor
