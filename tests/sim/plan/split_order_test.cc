// Orders of pipelines with split backward passes: complete, free of deadlock, and in the ideal case
// as long and as full as published.
#include "sim/plan/split_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <vector>

#include "sim/plan/pipeline_schedule.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

constexpr std::array ordered_schedules{Schedule::zb_h1,    Schedule::zb_h2, Schedule::zb_v,
                                       Schedule::v_half,   Schedule::v_min, Schedule::dualpipe,
                                       Schedule::dualpipev};

Plan plan_of(Schedule schedule, std::int64_t p) {
  Plan plan = round_plan();
  plan.schedule = schedule;
  plan.pipeline_parallel = p;
  return plan;
}

bool is_dual(Schedule schedule) {
  return schedule == Schedule::dualpipe || schedule == Schedule::dualpipev;
}

/// Numbers of micro-batches that check() accepts.
std::vector<std::int64_t> micro_batches_of(Schedule schedule, std::int64_t p) {
  if (is_dual(schedule)) return {2 * p, 2 * p + 2, 5 * p + p % 2};
  return {1, 2, p - 1, p, p + 1, 2 * p - 1, 2 * p, 3 * p, 5 * p + 1};
}

/// Times of the three kinds of pass through a chunk; a whole backward pass takes b + w.
struct PassLengths {
  std::int64_t f = 1;
  std::int64_t b = 1;
  std::int64_t w = 1;

  std::int64_t of(PassKind kind) const {
    switch (kind) {
      case PassKind::forward:
        return f;
      case PassKind::backward:
        return b + w;
      case PassKind::backward_input:
        return b;
      case PassKind::backward_weights:
        return w;
    }
    return 0;
  }
};

/// A step without messages and with equal stages; a pair takes as long as both passes.
struct Played {
  std::int64_t end = 0;   ///< of the last pass
  std::int64_t span = 0;  ///< of the stage from whose first pass to its last it is longest
};

Played play(const SplitShape& shape, const PassLengths& lengths) {
  std::vector<SequencedPass> sequence;
  SplitOrderWriter().write(shape, sequence);
  std::vector<std::int64_t> ends(sequence.size());
  std::vector<std::int64_t> clocks(static_cast<std::size_t>(shape.stages), 0);
  std::vector<std::int64_t> begins(static_cast<std::size_t>(shape.stages), -1);
  const auto ready = [&](const SequencedPass& one) {
    return one.after < 0 ? 0 : ends[static_cast<std::size_t>(one.after)];
  };
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const SequencedPass& one = sequence[i];
    std::int64_t& clock = clocks[static_cast<std::size_t>(one.stage)];
    std::int64_t& begin = begins[static_cast<std::size_t>(one.stage)];
    const std::size_t last = i + (one.pass.beside_next ? 1 : 0);
    std::int64_t start = clock;
    std::int64_t length = 0;
    for (std::size_t k = i; k <= last; ++k) {
      start = std::max(start, ready(sequence[k]));
      length += lengths.of(sequence[k].pass.kind);
    }
    if (begin < 0) begin = start;
    clock = start + length;
    for (std::size_t k = i; k <= last; ++k) ends[k] = clock;
    i = last;
  }
  Played played;
  for (std::size_t i = 0; i < clocks.size(); ++i) {
    played.end = std::max(played.end, clocks[i]);
    played.span = std::max(played.span, clocks[i] - begins[i]);
  }
  return played;
}

/// What it stands still: with steps that overlap, less than the time in which they begin.
std::int64_t bubble(const Plan& plan, std::int64_t m, const PassLengths& lengths) {
  const SplitShape shape = split_shape(plan, m);
  const Played played = play(shape, lengths);
  const std::int64_t work =
      shape.micro_batches * shape.chunks() * (lengths.f + lengths.b + lengths.w);
  return (traits(plan.schedule).steps_overlap ? played.span : played.end) - work;
}

TEST(SplitOrder, HasEveryPassOnceBehindWhatItWaitsFor) {
  for (const Schedule schedule : ordered_schedules) {
    for (std::int64_t p = 2; p <= 13; ++p) {
      if (schedule == Schedule::dualpipe && p % 2 != 0) continue;
      for (const std::int64_t m : micro_batches_of(schedule, p)) {
        SCOPED_TRACE(testing::Message() << static_cast<int>(schedule) << " " << p << " " << m);
        for (std::int64_t stage = 0; stage < p; ++stage) {
          std::map<std::pair<std::int32_t, std::int32_t>, std::array<int, 3>> times;
          int number = 0;
          for (const PipelinePass& pass : pipeline_order(plan_of(schedule, p), m, stage)) {
            auto& at = times[{pass.chunk, pass.micro_batch}];
            ++number;
            const auto note = [&](std::size_t kind) {
              EXPECT_EQ(at[kind], 0);
              at[kind] = number;
            };
            if (pass.kind == PassKind::forward) note(0);
            if (pass.kind == PassKind::backward || pass.kind == PassKind::backward_input) note(1);
            if (pass.kind == PassKind::backward || pass.kind == PassKind::backward_weights) note(2);
          }
          const Plan plan = plan_of(schedule, p);
          EXPECT_EQ(static_cast<std::int64_t>(times.size()),
                    chunks_per_stage(plan) * split_shape(plan, m).micro_batches);
          for (const auto& [which, at] : times) {
            EXPECT_GT(at[0], 0);
            EXPECT_GT(at[1], at[0]);
            EXPECT_GE(at[2], at[1]);
          }
        }
      }
    }
  }
}

TEST(SplitOrder, KeepsAsManyPassesAsInFlightSays) {
  for (const Schedule schedule : ordered_schedules) {
    for (std::int64_t p = 2; p <= 17; ++p) {
      if (schedule == Schedule::dualpipe && p % 2 != 0) continue;
      for (const std::int64_t m : micro_batches_of(schedule, p)) {
        SCOPED_TRACE(testing::Message() << static_cast<int>(schedule) << " " << p << " " << m);
        const Plan plan = plan_of(schedule, p);
        const auto chunks = static_cast<double>(chunks_per_stage(plan));
        std::int64_t most = 0;
        for (std::int64_t stage = 0; stage < p; ++stage) {
          std::int64_t kept = 0;
          std::int64_t peak = 0;
          for (const PipelinePass& pass : pipeline_order(plan, m, stage)) {
            if (pass.kind == PassKind::forward) peak = std::max(peak, ++kept);
            if (pass.kind == PassKind::backward || pass.kind == PassKind::backward_weights) --kept;
          }
          EXPECT_EQ(kept, 0);
          EXPECT_LE(static_cast<double>(peak), in_flight(plan, m, stage) * chunks);
          most = std::max(most, peak);
        }
        EXPECT_EQ(static_cast<double>(most), in_flight(plan, m, 0) * chunks);
      }
    }
  }
}

TEST(InFlight, IsWhatWasPublished) {
  struct Case {
    Schedule schedule;
    std::int64_t p;
    double kept;  ///< micro-batches through all of a stage's layers
  };
  for (const Case& c : {Case{Schedule::zb_h1, 8, 8.0},         // p
                        Case{Schedule::zb_h2, 8, 15.0},        // 2 p - 1
                        Case{Schedule::zb_v, 8, 8.0},          // p
                        Case{Schedule::v_half, 8, 5.0},        // (p + 2) // 2
                        Case{Schedule::v_half, 7, 4.0},        //
                        Case{Schedule::v_min, 8, 4.0},         // (p + 4) // 3
                        Case{Schedule::v_min, 12, 5.0},        //
                        Case{Schedule::dualpipe, 8, 4.5},      // p + 1 of one of two chunks
                        Case{Schedule::dualpipev, 4, 4.5}}) {  // the same of 8 stages on 4 devices
    EXPECT_EQ(in_flight(plan_of(c.schedule, c.p), 64, 0), c.kept) << static_cast<int>(c.schedule);
  }
}

constexpr std::array<std::int64_t, 7> stage_counts{2, 3, 4, 6, 8, 12, 16};

TEST(SplitBubble, OfZeroBubbleSchedulesIsTheFormula) {
  // (p - 1) (F + B - W) and (p - 1) (F + B - 2 W), B the gradient of the input [ZeroBubble].
  for (const std::int64_t p : stage_counts) {
    for (const std::int64_t m : {2 * p - 1, 2 * p, 3 * p, 7 * p}) {
      for (const PassLengths& l : {PassLengths{}, PassLengths{10, 11, 9}, PassLengths{10, 10, 8}}) {
        EXPECT_EQ(bubble(plan_of(Schedule::zb_h1, p), m, l), (p - 1) * (l.f + l.b - l.w));
        EXPECT_EQ(bubble(plan_of(Schedule::zb_h2, p), m, l), (p - 1) * (l.f + l.b - 2 * l.w));
      }
      EXPECT_EQ(bubble(plan_of(Schedule::zb_v, p), m, {}), 0);
    }
  }
}

TEST(SplitBubble, OfVHalfAndVMinIsHalfAndTwoThirdsOf1F1B) {
  // Passes through a chunk take half of those through a stage: 1F1B's bubble is 6 (p - 1) of them.
  for (const std::int64_t p : stage_counts) {
    for (const std::int64_t m : {p, 2 * p, 3 * p, 7 * p}) {
      const std::int64_t odd = p % 2;  // a building block without a gap saves one pass
      EXPECT_EQ(bubble(plan_of(Schedule::v_half, p), m, {}), 3 * (p - 1) - odd) << p << " " << m;
      const std::int64_t gap = p % 3 == 0 ? 1 : -1;
      EXPECT_EQ(bubble(plan_of(Schedule::v_min, p), m, {}), 4 * (p - 1) + gap) << p << " " << m;
    }
  }
}

TEST(SplitBubble, OfDualPipeIsTheFormula) {
  // (p / 2 - 1) (F&B + B - 3 W), B a whole backward pass, F&B = F + B [DualPipe, README]; the
  // paper's forward passes and those for the input take the same time, those for weights no more.
  for (const std::int64_t p : {2, 4, 6, 8, 16}) {
    for (const std::int64_t m : {2 * p, 2 * p + 2, 3 * p, 8 * p}) {
      for (const PassLengths& l : {PassLengths{}, PassLengths{10, 10, 8}, PassLengths{10, 10, 6}}) {
        const std::int64_t backward = l.b + l.w;
        const std::int64_t published = (p / 2 - 1) * (l.f + backward + backward - 3 * l.w);
        EXPECT_EQ(bubble(plan_of(Schedule::dualpipe, p), m, l), published) << p << " " << m;
        EXPECT_EQ(bubble(plan_of(Schedule::dualpipev, p / 2), m / 2 * 2, l), published)
            << p << " " << m;
      }
    }
  }
}

}  // namespace
}  // namespace cubicbench::sim
