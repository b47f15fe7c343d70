#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/plan/pass_source.h"
#include "sim/plan/split_shape.h"

namespace cubicbench::sim {

/// ZB-V [ZeroBubble, section 6], in the order of PyTorch's ScheduleZBVZeroBubble. Stage i of p:
///
///   2 (p - i) - 1 x F0;  i x F1 F0;  (p - i) x F1 b1 W1;  F0 b0 W0 F1 b1 W1 in turn;
///   i x b0 b1;  (p - i) x b0 W0;  what is left of W1, then of W0
///
/// F forward, b the gradient of the input, W those of weights, 0 and 1 the chunk. A stage keeps 2 p
/// passes.
void write_zb_v(const SplitShape& shape, StageQueues& queues);

/// Passes that a stage of V-Half or V-Min keeps at most: p + 2 and (2 p + 8) / 3, whole
/// micro-batches of both chunks [VSchedules].
constexpr std::int64_t v_kept_max(Schedule schedule, std::int64_t stages) {
  return 2 * (schedule == Schedule::v_half ? (stages + 2) / 2 : (stages + 4) / 3);
}

/// V-Half and V-Min [VSchedules]: the same six passes a micro-batch, each as late after the first
/// one as a building block says, so that fewer are kept.
class VPatternOrder {
 public:
  /// Passes take equal times, one unit. Every stage goes through its passes in the order of the
  /// building block, as soon as what they wait for is there and fewer than v_kept_max() are kept;
  /// gradients of weights fill what is left, the oldest first.
  void write(const SplitShape& shape, StageQueues& queues);

 private:
  struct Stage {
    std::array<std::int64_t, 4> due{};      ///< of the next pass of each kind, in the block
    std::array<std::int32_t, 4> written{};  ///< of each kind
    std::int64_t kept = 0;
    std::int64_t weights_due = 0;  ///< backward passes whose weights' gradients are left
    std::size_t row = 0;           ///< behind the last one that has them, in the queue
  };

  void step(const SplitShape& shape, std::int64_t stage, std::int32_t now, StageQueues& queues);

  std::vector<Stage> stages_;
  PassTable ends_;
};

/// DualPipe, stage by stage from where micro-batches enter, and DualPipeV, which is one half of it
/// [DeepSeekV3, section 3.2.1; DualPipe]. Of s stages, stage i with n micro-batches a chunk:
///
///   1  2 (s - i - 1) x  F0            5  (s - i - 1) x  B1, F1 & B0
///   2  (i + 1) x        F0 F1         6  (i + 1) x      B1 B0, weights later from the middle on
///   3  (s - i - 1) x    b1 W F1       7  (s - i - 1) x  W b0
///   4  (n - 2 s + i + 1) x  F0 & B1, F1 & B0     8  W of what is left
///
/// F forward, B whole backward, b the gradient of the input, W the oldest gradients of weights that
/// are due, 0 and 1 the chunk, & at the same time, but for the first pair of step 4 on the last
/// stage. A stage keeps 2 s + 1 passes. Requires n >= 2 s.
void write_dualpipe(const SplitShape& shape, StageQueues& queues);

}  // namespace cubicbench::sim
