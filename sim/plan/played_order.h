#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "sim/plan/split_order.h"
#include "sim/plan/split_shape.h"

namespace cubicbench::sim {

/// One of 8: a stage takes a time of its own for each.
constexpr std::size_t kind_of_pass(PassKind kind, std::size_t chunk) {
  return 2 * static_cast<std::size_t>(kind) + chunk;
}

/// What few passes are, as bits.
namespace pass_marks {
inline constexpr std::uint8_t first = 1;        ///< of its stage
inline constexpr std::uint8_t last = 2;         ///< has the last gradients of its chunk's weights
inline constexpr std::uint8_t beside_next = 4;  ///< runs at the same time as the pass after it
}  // namespace pass_marks

/// A pass in a sequence of passes, as short as it can be played from.
struct PlayedPass {
  std::uint32_t after =
      0;  ///< number of the one whose message it waits for, the first is 1; 0: none
  std::uint16_t stage = 0;  ///< of the shape
  std::uint8_t kind = 0;    ///< kind_of_pass
  std::uint8_t marks = 0;   ///< pass_marks
};

/// All passes of a step in an order in which they can be played [SplitOrderWriter], and those
/// between which the pace of the pipeline is seen: forward passes through the first stage's last
/// chunk, of the micro-batches behind those that fill the pipeline and before those that drain it.
struct PlayedOrder {
  std::vector<PlayedPass> passes;
  std::size_t pace_from = 0;  ///< number, the first is 1
  std::size_t pace_to = 0;
};

/// Orders of the shapes that were asked for. Holds a bounded number of passes and forgets all at
/// once when there are more, so that nothing is allocated while shapes come again.
class PlayedOrders {
 public:
  /// Good until the next call. Requires fewer than 2^16 stages.
  const PlayedOrder& of(const SplitShape& shape);

 private:
  void write(const SplitShape& shape, PlayedOrder& order);

  std::unordered_map<std::uint64_t, PlayedOrder> orders_;  ///< by what tells shapes apart
  std::size_t passes_ = 0;                                 ///< of all of them
  SplitOrderWriter writer_;
  std::vector<SequencedPass> sequence_;
  std::vector<bool> has_begun_;  ///< stages
};

}  // namespace cubicbench::sim
