#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/evaluation/stage_replay.h"
#include "scenarios/problem/scenario.h"
#include "scenarios/truth/instance.h"
#include "sim/engine/event/event_engine.h"
#include "sim/engine/step_report.h"
#include "sim/program/workspace.h"

namespace cubicbench::results {

/// How the event engine played a step.
struct PlayedStep {
  bool contention = true;
  bool fold = true;
  std::optional<std::uint64_t> jitter{};  ///< seed of the delays; nothing: every GPU was on time
  sim::EventCounts counts;
  sim::Stall stall;          ///< if any, the report has no time
  sim::Seconds failed_at{};  ///< of the rank that the others wait for
};

/// One simulated configuration and what it was asked of: everything a report prints.
struct Simulation {
  /// With the constants of the instance, and as many GPUs as the configuration takes.
  scenarios::Scenario scenario;
  std::uint64_t instance = 0;
  /// Active parameters of the space with their values, then settings outside it that were set.
  std::vector<scenarios::Assignment> config;
  std::vector<std::string> changes{};  ///< of the problem, as they were typed: "cluster.gpus=8"
  bool in_space = true;
  std::string outside;               ///< why not in the space; empty when it is
  sim::StepReport report;            ///< of the ideal step, or of the one that was played
  std::optional<PlayedStep> played;  ///< nothing of the analytical engine
  /// Of the stage that needs most; nothing of a plan that is invalid or has no trace.
  std::optional<scenarios::StageReplay> replay;
  /// Of the objective, over the steps of a run; where GPUs were late, of this one step.
  scenarios::TrueValue truth;
  std::optional<double> training_days{};      ///< of a step, where there is a deadline
  std::optional<sim::Divergence> divergence;  ///< of the training, if it runs
  std::string salt_sha256;                    ///< of a sealed instance; "" of others
};

/// Simulates the baseline of `scenario` (which holds whatever was set) under the hidden constants
/// of `instance`: with the analytical engine, or with the event engine where it is told how to
/// play. `sets` are the NAME=VALUE texts that it was read with; dotted names change the
/// problem.
Simulation simulate(const scenarios::Scenario& scenario, std::span<const std::string> sets = {},
                    std::uint64_t instance = 0, const sim::EventOptions* event = nullptr);

/// Simulates one plan of an instance after the other, for those who want many: what a Simulation
/// says of the step, but no `config`, `changes` and `replay`.
class StepSimulator {
 public:
  /// `truth` must outlive it.
  explicit StepSimulator(const scenarios::Instance& truth);

  /// As simulate(): with the event engine where it is told how to play. What it returns holds until
  /// the next call.
  const Simulation& simulate(const sim::Plan& plan, const sim::EventOptions* event = nullptr);

  /// That has seen the program of the last plan.
  const sim::Workspace& workspace() const { return workspace_; }

 private:
  void play(const sim::EventOptions& options);

  const scenarios::Instance& truth_;
  Simulation simulation_;
  sim::Workspace workspace_;
};

/// Whether there is a step with a time.
bool has_step(const Simulation& simulation);

/// "ok", "oom_init", "oom_late", "invalid", or "infra" of a step that a failed rank held up.
std::string_view status_of(const Simulation& simulation);

/// Why the configuration does not run, or not to the end of a step or a job, in one sentence
/// without a full stop; nothing when it does.
std::optional<std::string> reason(const Simulation& simulation);

/// What the allocator of the stage that needs most holds after some steps: as the replay says, or
/// the closed form where there is none or it found no room; no less than what the report has alive.
sim::Bytes reserved_memory(const Simulation& simulation);

/// What lies outside the allocator of that stage's rank: CUDA's context and communicators.
sim::Bytes outside_memory(const Simulation& simulation);

/// The largest part of the step; nothing when there is none.
std::optional<sim::StepPart> bound_by(const Simulation& simulation);

}  // namespace cubicbench::results
