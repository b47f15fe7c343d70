#pragma once

#include <cstdint>

namespace cubicbench::sim {

enum class Schedule {
  gpipe,
  one_f_one_b,
  interleaved,
  zb_h1,
  zb_h2,
  zb_v,
  v_half,
  v_min,
  dualpipe,
  dualpipev
};

/// Chunks of layers on a stage, and how the model runs through them.
enum class StageChunks : std::uint8_t {
  one,         ///< stage after stage
  in_a_round,  ///< as many as the plan says: down all stages through one, then through the next
  in_a_v,      ///< two: down the stages through the first ones, back through the second ones
};

/// What a schedule does with micro-batches, so that nothing else asks for one by name.
struct ScheduleTraits {
  StageChunks chunks = StageChunks::one;
  /// Each backward pass is split in two: the gradient of the stage's input, which the previous
  /// stage needs next, and the gradients of its weights, which only the update needs [ZeroBubble,
  /// section 2].
  bool splits_backward = false;
  bool forward_first = false;  ///< no backward pass before the last forward pass [GPipe]
  /// A forward pass of one micro-batch runs beside a backward pass of another [DualPipe].
  bool runs_pairs = false;
  /// Micro-batches enter at both ends, where two stages hold the same layers [DualPipe].
  bool both_ways = false;
  /// Steps follow each other stage by stage: one begins the next step when its own passes are over.
  /// That takes an optimizer that looks after its update whether it had to be clipped
  /// (post-validation) [ZeroBubble, section 4]; without it no schedule is without bubbles.
  bool steps_overlap = false;
};

constexpr ScheduleTraits traits(Schedule schedule) {
  constexpr StageChunks v = StageChunks::in_a_v;
  switch (schedule) {
    case Schedule::gpipe:
      return {.forward_first = true};
    case Schedule::one_f_one_b:
      return {};
    case Schedule::interleaved:
      return {.chunks = StageChunks::in_a_round};
    case Schedule::zb_h1:
      return {.splits_backward = true};
    case Schedule::zb_h2:
      return {.splits_backward = true, .steps_overlap = true};
    case Schedule::zb_v:
      return {.chunks = v, .splits_backward = true, .steps_overlap = true};
    case Schedule::v_half:
    case Schedule::v_min:
      return {.chunks = v, .splits_backward = true};
    case Schedule::dualpipe:
      return {.chunks = v, .splits_backward = true, .runs_pairs = true, .both_ways = true};
    case Schedule::dualpipev:
      return {.chunks = v, .splits_backward = true, .runs_pairs = true};
  }
  return {};
}

constexpr bool goes_in_rounds(Schedule schedule) {
  return traits(schedule).chunks == StageChunks::in_a_round;
}
constexpr bool splits_backward(Schedule schedule) { return traits(schedule).splits_backward; }

}  // namespace cubicbench::sim
