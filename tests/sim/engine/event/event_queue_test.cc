// Events come in order of time and, at one time, of scheduling, however many moments there are.
#include "sim/engine/event/event_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/sim/engine/event/dice.h"

namespace cubicbench::sim {
namespace {

/// The least that can be wrong: looks for the first of all events that wait.
class PlainQueue {
 public:
  void schedule(const Event& event) { waiting_.push_back(event); }
  Event pop() {
    const auto first = std::ranges::min_element(waiting_, [](const Event& a, const Event& b) {
      return a.at != b.at ? a.at < b.at : a.order < b.order;
    });
    const Event event = *first;
    waiting_.erase(first);
    return event;
  }
  bool empty() const { return waiting_.empty(); }

 private:
  std::vector<Event> waiting_;
};

/// Schedules some events, a few of them at the present moment, at each that comes, `events` in all,
/// at times that lie within `moments` picoseconds.
void expect_order(std::uint64_t seed, std::int64_t moments, std::int64_t events) {
  SCOPED_TRACE(testing::Message() << "seed " << seed << ", moments " << moments);
  Dice dice(seed);
  EventQueue queue;
  PlainQueue plain;
  SimTime now{};
  std::int64_t scheduled = 0;
  const auto schedule = [&] {
    const SimTime at = now + SimTime{dice.once_in(4) ? 0 : dice.below(moments)};
    const auto kind = static_cast<EventKind>(dice.below(4));
    const auto subject = static_cast<std::uint32_t>(dice.below(1000));
    plain.schedule({at, queue.schedule(at, kind, subject), kind, subject});
    ++scheduled;
  };
  schedule();
  while (!queue.empty()) {
    ASSERT_FALSE(plain.empty());
    const Event expected = plain.pop();
    EXPECT_EQ(queue.next_time(), expected.at);
    const Event event = queue.pop();
    EXPECT_EQ(event.at, expected.at);
    EXPECT_EQ(event.order, expected.order);
    EXPECT_EQ(event.kind, expected.kind);
    EXPECT_EQ(event.subject, expected.subject);
    now = event.at;
    for (std::int64_t i = 1 + dice.below(3); i > 0 && scheduled < events; --i) schedule();
  }
  EXPECT_TRUE(plain.empty());
  EXPECT_EQ(scheduled, events);
}

TEST(EventQueue, OrdersByTimeAndThenByScheduling) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (const std::int64_t moments : {1, 3, 50, 5000, 1'000'000'000}) {
      expect_order(seed, moments, 1000);
    }
  }
}

TEST(EventQueue, NumbersEventsFromOneOn) {
  EventQueue queue;
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.schedule(SimTime{5}, EventKind::rank_ready, 7), 1U);
  EXPECT_EQ(queue.schedule(SimTime{5}, EventKind::transfer_done, 8), 2U);
  EXPECT_EQ(queue.pop().subject, 7U);
  EXPECT_EQ(queue.schedule(SimTime{5}, EventKind::rank_ready, 9), 3U);
  EXPECT_EQ(queue.pop().subject, 8U);
  EXPECT_EQ(queue.pop().subject, 9U);
  EXPECT_TRUE(queue.empty());
}

TEST(EventQueueDeathTest, HasNothingToGiveWhenEmpty) {
  EventQueue queue;
  EXPECT_DEATH(queue.pop(), "empty");
}

}  // namespace
}  // namespace cubicbench::sim
