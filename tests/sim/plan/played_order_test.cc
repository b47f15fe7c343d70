// Orders as they are played say the same as the sequences that they are written from, and come out
// of the store as they went in.
#include "sim/plan/played_order.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace cubicbench::sim {
namespace {

constexpr std::array split_schedules{Schedule::zb_h1,    Schedule::zb_h2, Schedule::zb_v,
                                     Schedule::v_half,   Schedule::v_min, Schedule::dualpipe,
                                     Schedule::dualpipev};

bool has(const PlayedPass& pass, std::uint8_t mark) { return (pass.marks & mark) != 0; }

/// Also that whatever hands over without a message is on the same stage, where order is enough.
void expect_same(const SplitShape& shape, const PlayedOrder& order) {
  std::vector<SequencedPass> sequence;
  SplitOrderWriter().write(shape, sequence);
  ASSERT_EQ(order.passes.size(), sequence.size());
  std::vector<int> begun(static_cast<std::size_t>(shape.stages), 0);
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const auto& [pass, stage, after, receives] = sequence[i];
    const PlayedPass& played = order.passes[i];
    EXPECT_EQ(played.stage, stage);
    EXPECT_EQ(played.kind, kind_of_pass(pass.kind, static_cast<std::size_t>(pass.chunk)));
    EXPECT_EQ(played.after, receives ? static_cast<std::uint32_t>(after + 1) : 0u);
    if (after >= 0 && !receives) {
      EXPECT_EQ(sequence[static_cast<std::size_t>(after)].stage, stage);
      EXPECT_LT(static_cast<std::size_t>(after), i);
    }
    EXPECT_EQ(has(played, pass_marks::first), begun[static_cast<std::size_t>(stage)]++ == 0);
    EXPECT_EQ(has(played, pass_marks::beside_next), pass.beside_next);
    const bool completes =
        pass.kind == PassKind::backward || pass.kind == PassKind::backward_weights;
    EXPECT_EQ(has(played, pass_marks::last),
              completes && pass.micro_batch + 1 == shape.micro_batches);
  }
}

TEST(PlayedOrders, AreThoseThatAreWritten) {
  PlayedOrders orders;
  for (int round = 0; round < 2; ++round) {
    for (const Schedule schedule : split_schedules) {
      for (std::int64_t n = 8; n < 40; ++n) {
        const SplitShape shape{.schedule = schedule, .stages = 4, .micro_batches = n};
        SCOPED_TRACE(testing::Message() << static_cast<int>(schedule) << " " << n);
        expect_same(shape, orders.of(shape));
      }
    }
  }
}

TEST(PlayedOrders, SayWhereThePaceIsSeen) {
  PlayedOrders orders;
  for (const Schedule schedule : split_schedules) {
    const SplitShape shape{.schedule = schedule, .stages = 4, .micro_batches = 48};
    SCOPED_TRACE(static_cast<int>(schedule));
    const PlayedOrder& order = orders.of(shape);
    std::vector<SequencedPass> sequence;
    SplitOrderWriter().write(shape, sequence);
    const SequencedPass& from = sequence[order.pace_from - 1];
    const SequencedPass& to = sequence[order.pace_to - 1];
    EXPECT_EQ(from.pass.micro_batch, 8);
    EXPECT_EQ(to.pass.micro_batch, 48 - 1 - 8);
    for (const SequencedPass& one : {from, to}) {
      EXPECT_EQ(one.stage, 0);
      EXPECT_EQ(one.pass.kind, PassKind::forward);
      EXPECT_EQ(one.pass.chunk, shape.chunks() - 1);
    }
  }
}

TEST(PlayedOrders, AreForgottenAndWrittenAgain) {
  PlayedOrders orders;
  const SplitShape small{.schedule = Schedule::zb_v, .stages = 4, .micro_batches = 9};
  expect_same(small, orders.of(small));
  for (std::int64_t n = 2'000; n < 2'006; ++n) {  // more passes than are kept
    const SplitShape large{.schedule = Schedule::zb_v, .stages = 64, .micro_batches = n};
    EXPECT_EQ(orders.of(large).passes.size(), static_cast<std::size_t>(64 * 6 * n));
  }
  expect_same(small, orders.of(small));
}

}  // namespace
}  // namespace cubicbench::sim
