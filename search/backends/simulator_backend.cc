#include "search/backends/simulator_backend.h"

#include <utility>

namespace cubicbench::search {

void SimulatorBackend::start(Launch launch) {
  scenarios::TrialOutcome outcome =
      instance_.launch(launch.config, launch.attempt, workspace_, clock_.now_h());
  const scenarios::TrueValue truth =
      instance_.scenario().space.contains(launch.config)
          ? instance_.true_value(launch.config, workspace_)
          : scenarios::TrueValue{.reason = scenarios::Reason::invalid};
  clock_.start(std::move(launch), std::move(outcome), truth);
}

}  // namespace cubicbench::search
