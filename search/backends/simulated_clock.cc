#include "search/backends/simulated_clock.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "sim/base/check.h"

namespace cubicbench::search {

void SimulatedClock::start(Launch launch, scenarios::TrialOutcome outcome,
                           std::optional<scenarios::TrueValue> true_value) {
  SIM_ASSERT(outcome.duration_h >= 0.0, outcome.duration_h);
  const double finished_h = now_h_ + outcome.duration_h;
  running_.push_back({.launch = std::move(launch),
                      .outcome = std::move(outcome),
                      .started_h = now_h_,
                      .finished_h = finished_h,
                      .true_value = true_value});
}

Finished SimulatedClock::next() {
  SIM_ASSERT(!running_.empty());
  const auto first =
      std::min_element(running_.begin(), running_.end(), [](const Finished& a, const Finished& b) {
        return std::tie(a.finished_h, a.launch.trial) < std::tie(b.finished_h, b.launch.trial);
      });
  Finished finished = std::move(*first);
  running_.erase(first);
  now_h_ = finished.finished_h;
  return finished;
}

}  // namespace cubicbench::search
