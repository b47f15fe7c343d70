#include "search/space_guard.h"

#include <utility>

namespace cubicbench::search {

void SpaceGuard::start(Launch launch) {
  if (space_.contains(launch.config)) {
    backend_.start(std::move(launch));
  } else {
    outside_.push_back(std::move(launch));
  }
}

Finished SpaceGuard::wait() {
  if (outside_.empty()) {
    Finished finished = backend_.wait();
    now_h_ = finished.finished_h;
    return finished;
  }
  Finished finished{.launch = std::move(outside_.front()),
                    .outcome = {.state = scenarios::TrialState::fail,
                                .reason = scenarios::Reason::invalid,
                                .value = std::nullopt,
                                .metrics = {}},
                    .started_h = now_h_,
                    .finished_h = now_h_};
  outside_.pop_front();
  return finished;
}

}  // namespace cubicbench::search
