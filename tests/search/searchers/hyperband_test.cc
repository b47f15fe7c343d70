#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "search/searchers/charge.h"
#include "search/searchers/registry.h"
#include "tests/search/driven_searcher.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::Reason;
using scenarios::SearchSpace;
using scenarios::TrialState;

TEST(Charge, IsTheStartUpAndTheShareOfTheSteps) {
  EXPECT_EQ(charge_of(1.0), 1.0);
  EXPECT_EQ(charge_of(0.25), 0.34375);      // 1/8 + 7/32
  EXPECT_EQ(charge_of(0.0625), 0.1796875);  // 1/8 + 7/128
  EXPECT_EQ(charge_of(0x1p-17), 0.125 + 7 * 0x1p-20);
  EXPECT_EQ(charge_of(1e-300), start_up_share);
  // Others are rounded up to a multiple of 2^-20, so that three thirds are exactly three times one.
  const double third = charge_of(1.0 / 3.0);
  EXPECT_EQ(third, 436'907 * 0x1p-20);  // 5/12 = 436,906.67 / 2^20
  EXPECT_EQ(third + third + third, 3.0 * third);
}

/// Worth the number of the configuration; above `runs`, it fails.
Outcome worth_its_number(const SearchSpace& space, std::uint64_t runs) {
  return [&space, runs](std::int64_t trial, const Configuration& config) {
    ToldTrial outcome = told(trial, config);
    const std::uint64_t number = space.number_of(config);
    outcome.score = static_cast<double>(number);
    if (number < runs) return outcome;
    outcome.state = TrialState::fail;
    outcome.reason = Reason::oom_late;
    outcome.score.reset();
    return outcome;
  };
}

constexpr std::uint64_t all = ~std::uint64_t{0};

/// How often each fidelity comes in a row: "16@0.0625 4@0.25 1@1".
std::string rungs(const std::vector<Proposal>& proposals) {
  std::string text;
  for (std::size_t begin = 0, end = 0; begin < proposals.size(); begin = end) {
    while (end < proposals.size() && proposals[end].fidelity == proposals[begin].fidelity &&
           proposals[end].round == proposals[begin].round) {
      ++end;
    }
    const double share = proposals[begin].fidelity;
    text += (text.empty() ? "" : " ") + std::to_string(end - begin) + "@" +
            (share == 1.0 ? "1" : "1/" + std::to_string(std::lround(1.0 / share)));
  }
  return text;
}

double charge(const std::vector<Proposal>& proposals) {
  double sum = 0.0;
  for (const Proposal& proposal : proposals) sum += charge_of(proposal.fidelity);
  return sum;
}

TEST(Hyperband, GoesThroughTheBracketsOfThePaper) {
  const SearchSpace space = wide_box();
  struct Case {
    const char* text;
    std::int64_t budget;
    const char* rungs;
  };
  // Brackets of s = s_max, ..., 0 have ceil((s_max + 1) / (s + 1) eta^s) configurations; one in eta
  // of a rung goes on.
  for (const Case& c :
       {Case{"hyperband", 23, "16@1/16 4@1/4 1@1 6@1/4 1@1 3@1 16@1/16 4@1/4 1@1 6@1/4 1@1 3@1"},
        Case{"hyperband:eta=3:least=0.03", 28,
             "27@1/27 9@1/9 3@1/3 1@1 12@1/9 4@1/3 1@1 6@1/3 2@1 4@1 27@1/27"},
        Case{"hyperband:eta=2:least=0.25", 10, "4@1/4 2@1/2 1@1 3@1/2 1@1 3@1"},
        Case{"hyperband:eta=8:least=0.0625", 8, "8@1/8 1@1 2@1 8@1/8 1@1"},
        Case{"hyperband:least=1", 3, "1@1 1@1 1@1"}}) {
    SCOPED_TRACE(c.text);
    const auto searcher = make(c.text, space, 1, c.budget);
    const std::string got =
        rungs(drive_proposals(*searcher, c.budget, worth_its_number(space, all)));
    EXPECT_EQ(got.substr(0, std::string(c.rungs).size()), c.rungs) << got;
  }
}

TEST(Hyperband, PromotesTheBestAndOfEqualOnesTheFirst) {
  const SearchSpace space = wide_box();
  const auto proposals =
      drive_proposals(*make("hyperband", space, 3, 6), 6, worth_its_number(space, all));
  ASSERT_GE(proposals.size(), 21U);
  std::vector<std::uint64_t> first;
  for (std::size_t i = 0; i < 16; ++i) first.push_back(space.number_of(proposals[i].config));
  std::ranges::sort(first, std::ranges::greater());
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(space.number_of(proposals[16 + i].config), first[i]);
  }
  EXPECT_EQ(space.number_of(proposals[20].config), first[0]);

  const auto equal = drive_proposals(*make("hyperband", space, 3, 6), 6,
                                     [](std::int64_t trial, const Configuration& config) {
                                       ToldTrial outcome = told(trial, config);
                                       outcome.score = 1.0;
                                       return outcome;
                                     });
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(equal[16 + i].config, equal[i].config);
  EXPECT_EQ(equal[20].config, equal[0].config);
}

TEST(Hyperband, PromotesNothingThatFailed) {
  const SearchSpace space = wide_box();
  // Nothing runs: no rung is followed by another, and the next bracket begins.
  // With 1.19 of 12 left a launch at a fourth could not be followed by a whole one.
  EXPECT_EQ(
      rungs(drive_proposals(*make("hyperband", space, 2, 12), 12, worth_its_number(space, 0))),
      "16@1/16 6@1/4 3@1 16@1/16 1@1");
  // An eighth of the space runs: who goes on ran.
  const std::uint64_t runs = space.count() / 8;
  std::set<Configuration> ran;
  for (const Proposal& proposal :
       drive_proposals(*make("hyperband", space, 2, 60), 60, worth_its_number(space, runs))) {
    const bool runs_here = space.number_of(proposal.config) < runs;
    if (proposal.fidelity == 0.0625 && runs_here) ran.insert(proposal.config);
    if (proposal.fidelity == 0.25 && proposal.round % 3 == 0) {
      EXPECT_TRUE(ran.contains(proposal.config));
    }
  }
}

// One of sixteen ran: it would go on whatever a fourth of its steps says.
TEST(Hyperband, LeavesOutARungThatDecidesNothing) {
  const SearchSpace space = wide_box();
  int ended = 0;
  const auto one_of_sixteen = [&](std::int64_t trial, const Configuration& config) {
    ToldTrial outcome = told(trial, config);
    ++ended;
    outcome.score = 1.0;
    if (ended == 5) return outcome;
    outcome.state = TrialState::fail;
    outcome.score.reset();
    return outcome;
  };
  const auto proposals = drive_proposals(*make("hyperband", space, 5, 20), 20, one_of_sixteen);
  EXPECT_EQ(rungs(proposals).substr(0, 17), "16@1/16 1@1 6@1/4");
  EXPECT_EQ(proposals[16].config, proposals[4].config);
}

TEST(Hyperband, DrawsInTheOrderOfRandomSearchAndNothingTwice) {
  const SearchSpace space = wide_box();
  const auto random = drive(*make("random", space, 9, 100), 100, mixed_outcome);
  const auto proposals =
      drive_proposals(*make("hyperband", space, 9, 30), 30, worth_its_number(space, all));
  std::set<Configuration> seen;
  std::vector<Configuration> drawn;
  std::set<std::pair<Configuration, double>> distinct;
  for (const Proposal& proposal : proposals) {
    if (seen.insert(proposal.config).second) drawn.push_back(proposal.config);
    EXPECT_TRUE(distinct.emplace(proposal.config, proposal.fidelity).second);
  }
  ASSERT_GT(drawn.size(), 50U);
  for (std::size_t i = 0; i < drawn.size(); ++i) EXPECT_EQ(drawn[i], random[i]) << i;
}

TEST(Hyperband, NeverSpendsMoreThanItsBudgetAndLeavesLessThanALaunch) {
  const SearchSpace space = wide_box();
  for (std::int64_t budget = 1; budget <= 40; ++budget) {
    SCOPED_TRACE(budget);
    for (const std::size_t slots : {1U, 3U}) {
      const auto proposals = drive_proposals(*make("hyperband", space, 4, budget), budget,
                                             worth_its_number(space, all), slots);
      EXPECT_LE(charge(proposals), static_cast<double>(budget));
      EXPECT_GT(charge(proposals), static_cast<double>(budget - 1));
      EXPECT_EQ(proposals.back().fidelity, 1.0);  // no short launch that nothing follows
    }
  }
}

// With a budget of 3: 16 short launches take 2.875, of which a whole launch has to be left: 11.
TEST(Hyperband, SpendsTheRestOnTheBestThatNeverRanWhole) {
  const SearchSpace space = wide_box();
  const auto proposals =
      drive_proposals(*make("hyperband", space, 6, 3), 3, worth_its_number(space, all));
  ASSERT_EQ(rungs(proposals), "11@1/16 1@1");
  std::uint64_t best = 0;
  for (std::size_t i = 0; i < 11; ++i) {
    best = std::max(best, space.number_of(proposals[i].config));
  }
  EXPECT_EQ(space.number_of(proposals[11].config), best);
  EXPECT_EQ(charge(proposals), 11 * 0.1796875 + 1.0);
}

TEST(Hyperband, TakesWhatTheAccountSaysOfRetries) {
  const SearchSpace space = wide_box();
  const auto searcher = make("hyperband", space, 6, 100);
  searcher->observe({.launches_left = 1.5, .running = 0});
  EXPECT_EQ(searcher->ask()->fidelity, 0.0625);
  // 0.3 of that went to retries: no short launch leaves a whole one.
  searcher->observe({.launches_left = 1.02, .running = 0});
  EXPECT_EQ(searcher->ask()->fidelity, 1.0);
  searcher->observe({.launches_left = 0.02, .running = 0});
  EXPECT_FALSE(searcher->ask());
  EXPECT_FALSE(searcher->waits());
}

TEST(Hyperband, WaitsForTheLaunchesOfARung) {
  const SearchSpace space = wide_box();
  const auto searcher = make("hyperband", space, 8, 100);
  std::vector<Configuration> rung;
  for (std::int64_t i = 0; i < 16; ++i) {
    searcher->observe({.launches_left = 100.0, .running = i});
    rung.push_back(searcher->ask()->config);
  }
  searcher->observe({.launches_left = 97.0, .running = 16});
  EXPECT_FALSE(searcher->ask());
  EXPECT_TRUE(searcher->waits());
  const auto tell = [&](std::size_t i) {
    ToldTrial outcome = told(static_cast<std::int64_t>(i), rung[i]);
    outcome.score = static_cast<double>(i);
    outcome.fidelity = 0.0625;
    searcher->tell(outcome);
  };
  for (std::size_t i = 0; i < 15; ++i) tell(i);
  searcher->observe({.launches_left = 97.0, .running = 1});
  EXPECT_FALSE(searcher->ask());
  EXPECT_TRUE(searcher->waits());
  // The last one failed and is dropped from what is told: nothing runs any more.
  searcher->observe({.launches_left = 97.0, .running = 0});
  for (const std::size_t i : {14U, 13U, 12U, 11U}) {
    const auto proposal = searcher->ask();
    ASSERT_TRUE(proposal);
    EXPECT_FALSE(searcher->waits());
    EXPECT_EQ(proposal->config, rung[i]);
    EXPECT_EQ(proposal->fidelity, 0.25);
  }
}

TEST(Hyperband, LaunchesTheGrantedBaselineNeverAgain) {
  const SearchSpace space = box();
  Configuration baseline(space.size());
  space.configuration_at(17, baseline);
  const SearchContext context{.space = space, .seed = 1, .trials = 500, .baseline = baseline};
  const auto searcher = make_searcher(parse_searcher("hyperband", "test"), context);
  const auto proposals = drive_proposals(*searcher, 499, worth_its_number(space, all));
  std::map<Configuration, int> whole;
  for (const Proposal& proposal : proposals) {
    EXPECT_NE(proposal.config, baseline);
    if (proposal.fidelity == 1.0) ++whole[proposal.config];
  }
  // A small space is gone through: each of the others runs whole, once.
  EXPECT_EQ(whole.size(), space.count() - 1);
  for (const auto& [config, times] : whole) EXPECT_EQ(times, 1);
}

}  // namespace
}  // namespace cubicbench::search
