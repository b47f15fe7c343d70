#pragma once

#include <optional>
#include <vector>

#include "scenarios/truth/instance.h"
#include "search/backends/backend.h"

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

}  // namespace cubicbench::search
