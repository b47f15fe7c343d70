#pragma once

#include <string>

#include "scenarios/problem/scenario.h"
#include "search/backends/backend.h"
#include "search/backends/simulated_clock.h"

namespace cubicbench::search {

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
