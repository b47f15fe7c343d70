#pragma once

#include "scenarios/truth/instance.h"
#include "search/backends/backend.h"
#include "search/backends/simulated_clock.h"
#include "sim/engine/analytical.h"

namespace cubicbench::search {

/// Runs trials on an instance of a scenario in place of a cluster, on a simulated clock.
class SimulatorBackend final : public Backend {
 public:
  /// The instance must outlive the backend.
  explicit SimulatorBackend(const scenarios::Instance& instance) : instance_(instance) {}

  void start(Launch launch) override;
  Finished wait() override { return clock_.next(); }

 private:
  const scenarios::Instance& instance_;
  sim::Workspace workspace_;
  SimulatedClock clock_;
};

}  // namespace cubicbench::search
