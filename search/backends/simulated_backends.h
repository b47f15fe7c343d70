#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/problem/scenario.h"
#include "scenarios/truth/instance.h"
#include "search/backends/backend.h"
#include "sim/engine/analytical.h"

namespace cubicbench::search {

/// The clock of a study whose outcomes are known when they start: jumps from one end of a launch to
/// the next.
class SimulatedClock {
 public:
  /// Hours since the study began: the end of the launch that `next` gave last, 0 at first.
  double now_h() const { return now_h_; }

  /// The launch runs from now for the duration of its outcome.
  void start(Launch launch, scenarios::TrialOutcome outcome,
             std::optional<scenarios::TrueValue> true_value);

  /// Of the launches that run (at least one), the one with the smallest (finished_h, trial).
  Finished next();

 private:
  double now_h_ = 0.0;
  std::vector<Finished> running_;
};

/// Runs trials on an instance of a scenario in place of a cluster, on a simulated clock.
class SimulatorBackend final : public Backend {
 public:
  explicit SimulatorBackend(scenarios::Instance instance) : instance_(std::move(instance)) {}

  bool runs_short_launches() const override { return true; }
  void start(Launch launch) override;
  Finished wait() override { return clock_.next(); }

 private:
  scenarios::Instance instance_;
  sim::Workspace workspace_;
  SimulatedClock clock_;
};

/// Plays what really happened: a launch comes to what the table of runs has of its configuration,
/// each attempt to the next of its runs and then around again, on a simulated clock. Equal launches
/// have equal outcomes, so that a study can be repeated, but nothing is known without noise.
class TableBackend final : public Backend {
 public:
  /// Requires a scenario with measured runs, which must outlive the backend.
  explicit TableBackend(const scenarios::Scenario& scenario);

  void start(Launch launch) override;
  Finished wait() override { return clock_.next(); }

 private:
  scenarios::TrialOutcome outcome_of(const Launch& launch) const;

  const scenarios::Scenario& scenario_;
  SimulatedClock clock_;
};

/// SHA-256 of the scenario's and of every run of every configuration: what stands as truth_sha256
/// where studies play a table, so that only results of the same runs are compared. Requires a
/// scenario with measured runs.
std::string outcomes_sha256(const scenarios::Scenario& scenario);

}  // namespace cubicbench::search
