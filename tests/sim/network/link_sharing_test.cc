#include "sim/network/link_sharing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/counting_new.h"
#include "tests/sim/network/textbook_sharing.h"

namespace cubicbench::sim {
namespace {

using Rates = std::vector<std::int64_t>;

constexpr BundleId a{0};
constexpr BundleId b{1};
constexpr BundleId c{2};
constexpr std::int64_t plenty = 1'000'000;

LinkSharing sharing_of(const Rates& capacities) {
  return LinkSharing(IdVector<BundleId, std::int64_t>(capacities));
}

struct Case {
  const char* name;
  Rates capacities;  ///< of bundles a, b, c
  std::vector<SharingSet> sets;
  Rates expected;
};

void expect_rates(const Case& test) {
  SCOPED_TRACE(test.name);
  LinkSharing sharing = sharing_of(test.capacities);
  std::vector<SharingSet> sets = test.sets;
  std::vector<FlowSetId> ids;
  for (SharingSet& set : sets) {
    set.active = true;
    ids.push_back(sharing.add(set.uses, set.cap));
    sharing.start(ids.back());
  }
  sharing.settle();
  Rates rates;
  for (const FlowSetId id : ids) rates.push_back(sharing.rate(id));
  EXPECT_EQ(rates, test.expected);
  EXPECT_EQ(textbook_rates(test.capacities, sets), test.expected) << "the textbook itself";
}

TEST(LinkSharing, MatchesHandDerivedRates) {
  for (const Case& test : {
           Case{"alone, a flow is as fast as it can be", {100}, {{{{a}}, 80}}, {80}},
           Case{"alone, a link may be slower than the flow", {100}, {{{{a}}, 180}}, {100}},
           Case{"a set that uses nothing", {100}, {{{}, 80}}, {80}},
           Case{"two flows halve a link", {100}, {{{{a}}, 100}, {{{a}}, 100}}, {50, 100 / 2}},
           Case{"a third of 100 is rounded down",
                {100},
                {{{{a}}, plenty}, {{{a}}, plenty}, {{{a}}, plenty}},
                {33, 33, 100 / 3}},
           // Link a is full first, at 60 / 3. Of link b the long flow then has 20.
           Case{"parking lot",
                {60, 60, 60},
                {{{{a}, {b}, {c}}, plenty},
                 {{{a}}, plenty},
                 {{{a}}, plenty},
                 {{{b}}, plenty},
                 {{{c}}, plenty}},
                {60 / 3, 60 / 3, 60 / 3, 60 - 20, 60 - 20}},
           Case{"a capped flow leaves room to others",
                {100},
                {{{{a}}, 20}, {{{a}}, 100}, {{{a}}, 100}},
                {20, (100 - 20) / 2, (100 - 20) / 2}},
           Case{"a set that a slow link holds up frees the fast one",
                {40, 100},
                {{{{a}, {b}}, 100}, {{{b}}, 100}},
                {40, 100 - 40}},
           // b is full at 30 / 2; then a at 100 - 15, though it was full at 50 before.
           Case{"held up by another set elsewhere",
                {100, 30},
                {{{{a}}, 100}, {{{a}, {b}}, 100}, {{{b}}, 100}},
                {100 - 15, 30 / 2, 30 / 2}},
       }) {
    expect_rates(test);
  }
}

TEST(LinkSharing, WeighsWhatASetPutsOnABundle) {
  for (const Case& test : {
           // The first set puts two flows on the link: x + 2 x = 90.
           Case{"two flows of one set", {90}, {{{{a, 512}}, 90}, {{{a}}, 90}}, {90 / 3, 90 / 3}},
           Case{"half a flow: x / 2 + x = 90", {90}, {{{{a, 128}}, 90}, {{{a}}, 90}}, {60, 60}},
           Case{"half a flow alone: its link is no limit", {90}, {{{{a, 128}}, 180}}, {180}},
           Case{"uses of one bundle add up",
                {90},
                {{{{a, 256}, {b, 1}, {a, 256}}, 90}, {{{a}}, 90}},
                {90 / 3, 90 / 3}},
           Case{"weight zero is no use", {10}, {{{{a, 0}}, 90}}, {90}},
           // 1/256 of 2560 B/s is 10 B/s.
           Case{"the least weight", {10}, {{{{a, 1}}, plenty}}, {10 * 256}},
           Case{"four million flows",
                {10'000'000'000'000'000},
                {{{{a, 1 << 30}}, 10'000'000'000'000'000}},
                {10'000'000'000'000'000 / (1 << 22)}},
       }) {
    SCOPED_TRACE(test.name);
    Case padded = test;
    padded.capacities.resize(2, plenty);
    expect_rates(padded);
  }
}

TEST(LinkSharing, RoundsTheSameInAnyOrder) {
  for (const Case& test : {
           // Both are full at 5: a at 10 / 2, b at floor(17 / 3). If b were looked at after a had
           // stopped, its other sets would get floor((17 - 5) / 2) = 6.
           Case{"bundles full at one level are so at once",
                {10, 17},
                {{{{a}}, 99}, {{{a}, {b}}, 99}, {{{b}}, 99}, {{{b}}, 99}},
                {5, 5, 5, 5}},
           // At its cap a set stands aside before the bundle is full: floor((17 - 5) / 2) = 6.
           Case{"a cap comes before a bundle",
                {17},
                {{{{a}}, 5}, {{{a}}, 99}, {{{a}}, 99}},
                {5, 6, 6}},
           Case{"nothing is slower than 1 B/s",
                {1},
                {{{{a}}, 99}, {{{a}}, 99}, {{{a, 1024}}, 99}},
                {1, 1, 1}},
           // Of the first set b carries 4 x 1 B/s, though a alone would give it less than 1.
           Case{"what overfills one bundle counts on the next",
                {1, 12},
                {{{{a}, {b, 1024}}, 99}, {{{a}}, 99}, {{{b}}, 99}},
                {1, 1, 12 - 4}},
       }) {
    expect_rates(test);
  }
}

class Sharing : public testing::Test {
 protected:
  FlowSetId add(const std::vector<LinkUse>& uses, std::int64_t cap = 100) {
    return sharing_.add(uses, cap);
  }
  std::vector<FlowSetId> settle() {
    const auto changed = sharing_.settle();
    return {changed.begin(), changed.end()};
  }

  LinkSharing sharing_ = sharing_of({100, 100, 100});
};

using testing::ElementsAre;
using testing::IsEmpty;

TEST_F(Sharing, NamesTheSetsWhoseRateChanged) {
  const FlowSetId first = add({{a}});
  const FlowSetId second = add({{a}, {b}});
  const FlowSetId aside = add({{c}});
  sharing_.start(aside);
  sharing_.start(first);
  EXPECT_THAT(settle(), ElementsAre(first, aside));
  EXPECT_EQ(sharing_.rate(first), 100);
  sharing_.start(second);
  EXPECT_EQ(sharing_.rate(first), 100) << "old until shared anew";
  EXPECT_THAT(settle(), ElementsAre(first, second));
  EXPECT_EQ(sharing_.rate(first), 50);
  sharing_.stop(second);
  EXPECT_EQ(sharing_.rate(second), 0);
  EXPECT_THAT(settle(), ElementsAre(first));
  EXPECT_EQ(sharing_.rate(first), 100);
  EXPECT_THAT(settle(), IsEmpty());
  EXPECT_TRUE(sharing_.active(first));
  EXPECT_FALSE(sharing_.active(second));
}

TEST_F(Sharing, NamesASetThatStartsAgainAtItsOldRate) {
  const FlowSetId first = add({{a}});
  const FlowSetId second = add({{a}});
  sharing_.start(first);
  sharing_.start(second);
  EXPECT_THAT(settle(), ElementsAre(first, second));
  sharing_.stop(first);
  sharing_.start(first);
  EXPECT_THAT(settle(), ElementsAre(first));
  EXPECT_EQ(sharing_.rate(first), 50);
}

TEST_F(Sharing, ForgetsASetThatCameAndWentUnseen) {
  const FlowSetId brief = add({{a}});
  sharing_.start(brief);
  sharing_.stop(brief);
  EXPECT_THAT(settle(), IsEmpty());
  EXPECT_EQ(sharing_.rate(brief), 0);
  sharing_.start(brief);
  EXPECT_THAT(settle(), ElementsAre(brief));
}

TEST_F(Sharing, ASetMayRunAtAnotherCapNextTime) {
  const FlowSetId first = add({{a}});
  const FlowSetId second = add({{a}});
  sharing_.start(first);
  sharing_.set_cap(second, 20);
  sharing_.start(second);
  settle();
  EXPECT_EQ(sharing_.rate(first), 100 - 20);
  sharing_.stop(second);
  sharing_.set_cap(second, 70);
  sharing_.start(second);
  EXPECT_THAT(settle(), ElementsAre(first, second));
  EXPECT_EQ(sharing_.rate(first), 50);
}

TEST_F(Sharing, AddsASetWhileOthersRun) {
  const FlowSetId first = add({{a}});
  sharing_.start(first);
  settle();
  const FlowSetId late = add({{a, 768}});
  EXPECT_THAT(settle(), IsEmpty());
  sharing_.start(late);
  EXPECT_THAT(settle(), ElementsAre(first, late));
  EXPECT_EQ(sharing_.rate(late), 100 / 4);
}

TEST_F(Sharing, AllocatesNothingOnceWarm) {
  std::vector<FlowSetId> sets;
  for (const auto& uses : {std::vector<LinkUse>{{a}}, {{a}, {b}}, {{b}, {c}}, {{c}}, {{a}, {c}}}) {
    sets.push_back(add(uses));
  }
  const auto play = [&] {
    std::int64_t sum = 0;
    for (const FlowSetId set : sets) {
      sharing_.start(set);
      sharing_.settle();
      sum += sharing_.rate(set);
    }
    for (const FlowSetId set : sets) {
      sharing_.stop(set);
      sum += static_cast<std::int64_t>(sharing_.settle().size());
    }
    return sum;
  };
  const std::int64_t first = play();
  const long before = allocation_count();
  EXPECT_EQ(play(), first);
  EXPECT_EQ(allocation_count() - before, 0);
}

TEST_F(Sharing, RefusesWhatTheCallerMustNotAsk) {
  const FlowSetId set = add({{a}});
  EXPECT_DEATH(sharing_of({100, 0}), "broken invariant: capacity > 0.*bundle, capacity = 1, 0");
  EXPECT_DEATH(sharing_of({1LL << 54}), "broken invariant: capacity > 0.*18014398509481984");
  EXPECT_DEATH(add({{a}}, 0), "broken invariant: cap > 0, where cap = 0");
  EXPECT_DEATH(add({{BundleId{3}}}), "broken invariant: .*bundle, bundles_.size.. = 3, 3");
  EXPECT_DEATH(add({{a, -1}}), "broken invariant: .*use->weight = -1");
  EXPECT_DEATH(add({{a, 1LL << 30}, {a, 1LL << 30}}), "broken invariant: .*weight = 2147483648");
  EXPECT_DEATH(sharing_.stop(set), "broken invariant: set.active");
  sharing_.start(set);
  EXPECT_DEATH(sharing_.start(set), "broken invariant: !set.active");
  EXPECT_DEATH(sharing_.set_cap(set, 1), "broken invariant: !sets_.set..active");
}

}  // namespace
}  // namespace cubicbench::sim
