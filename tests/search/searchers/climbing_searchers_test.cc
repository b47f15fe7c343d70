#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "search/searchers/knob_changes.h"
#include "search/searchers/registry.h"
#include "tests/search/driven_searcher.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::inactive;
using scenarios::SearchSpace;

TEST(KnobChanges, GiveOneParameterEveryOtherValue) {
  const SearchSpace space = box();
  EXPECT_EQ(knob_changes(space, {1, 3, 0}, 0, {1, 3, 0}),
            (std::vector<Configuration>{{0, 3, 0}, {2, 3, 0}, {3, 3, 0}}));
  EXPECT_EQ(knob_changes(space, {1, 3, 0}, 2, {1, 3, 0}), (std::vector<Configuration>{{1, 3, 1}}));
}

TEST(KnobChanges, WhatBecomesActiveHasItsValueAtHomeOrTheFirst) {
  // tensor x pipeline x micro-batch <= 16; virtual stages with pipelines, context with two of them.
  const SearchSpace space = conditional();
  const Configuration flat{0, 0, inactive, inactive, 0};
  EXPECT_EQ(knob_changes(space, flat, 1, flat),
            (std::vector<Configuration>{{0, 1, 0, inactive, 0}, {0, 2, 0, inactive, 0}}));
  EXPECT_EQ(knob_changes(space, flat, 1, {0, 1, 1, 1, 0}),
            (std::vector<Configuration>{{0, 1, 1, 1, 0}, {0, 2, 1, 1, 0}}));
  EXPECT_TRUE(knob_changes(space, flat, 2, flat).empty());
  // From 8 x 1 x 2 only 8 x 1 x 1 is allowed besides.
  EXPECT_EQ(knob_changes(space, {3, 0, inactive, inactive, 1}, 4, flat),
            (std::vector<Configuration>{{3, 0, inactive, inactive, 0}}));
}

/// A searcher that was granted and told the baseline.
std::unique_ptr<Searcher> granted(const std::string& text, const SearchSpace& space,
                                  const Configuration& baseline, std::uint64_t seed, double score) {
  auto searcher =
      make_searcher(parse_searcher(text, "test"),
                    {.space = space, .seed = seed, .trials = 200, .baseline = baseline});
  ToldTrial trial = told(0, baseline);
  trial.score = score;
  searcher->tell(trial);
  return searcher;
}

using Score = std::function<double(const Configuration&)>;

/// Trials that it takes to propose `goal`; 0 if `trials` do not.
std::int64_t trials_to(Searcher& searcher, const Score& score, const Configuration& goal,
                       std::int64_t trials) {
  for (std::int64_t trial = 1; trial <= trials; ++trial) {
    const auto proposal = searcher.ask();
    if (!proposal) return 0;
    if (proposal->config == goal) return trial;
    ToldTrial outcome = told(trial, proposal->config);
    outcome.score = score(proposal->config);
    searcher.tell(outcome);
  }
  return 0;
}

double sum_of(const Configuration& c) { return static_cast<double>(c[0] + c[1] + c[2]); }

TEST(Coordinate, ReachesTheTopOfASlopeInOnePass) {
  // Each of three parameters once: 3 + 7 + 1 other values, the last of which completes the top.
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const SearchSpace space = box();
    const auto searcher = granted("coordinate", space, {0, 0, 0}, seed, 0.0);
    const std::int64_t trials = trials_to(*searcher, sum_of, {3, 7, 1}, 64);
    EXPECT_GE(trials, 3) << seed;
    EXPECT_LE(trials, 11) << seed;
  }
}

TEST(Coordinate, AfterAPassInVainGoesOnFromAKick) {
  // From the origin every single change is worse, so 11 trials in vain; the rest of the space comes
  // after.
  const SearchSpace space = box();
  const auto valley = [](const Configuration& c) {
    return c == Configuration{3, 7, 1} ? 9.0 : -1.0;
  };
  const auto searcher = granted("coordinate", space, {0, 0, 0}, 3, 0.0);
  EXPECT_GT(trials_to(*searcher, valley, {3, 7, 1}, 63), 11);
}

TEST(Coordinate, WithoutABaselineBeginsWithWhatRunsFirst) {
  const SearchSpace space = box();
  const auto searcher = make("coordinate", space, 1);
  const std::int64_t trials = trials_to(*searcher, sum_of, {3, 7, 1}, 64);
  EXPECT_GE(trials, 1);
  EXPECT_LE(trials, 1 + 11);
}

TEST(LocalSearch, ClimbsASlopeAndLeavesAPlateau) {
  const SearchSpace space = box();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto searcher = granted("local-search", space, {0, 0, 0}, seed, 0.0);
    EXPECT_GT(trials_to(*searcher, sum_of, {3, 7, 1}, 63), 0) << seed;
  }
  const auto flat = [](const Configuration&) { return 0.0; };
  const auto searcher = granted("local-search:patience=2:kick=2", space, {0, 0, 0}, 1, 0.0);
  EXPECT_GT(trials_to(*searcher, flat, {3, 7, 1}, 63), 0);
}

// The contract's other half: with a granted baseline.
TEST(EverySearcher, NeverProposesTheGrantedBaselineAndAllElse) {
  for (const SearcherEntry& entry : searchers()) {
    if (entry.is_check) continue;
    SCOPED_TRACE(entry.name);
    const SearchSpace space = conditional();
    Configuration baseline(space.size());
    space.configuration_at(space.count() / 2, baseline);
    const auto searcher = granted(quick_text(entry.name), space, baseline, 5, 1.0);
    std::set<Configuration> whole;
    for (const Proposal& proposal : drive_proposals(*searcher, 500, mixed_outcome)) {
      EXPECT_NE(proposal.config, baseline);
      if (proposal.fidelity < whole_launch) continue;
      EXPECT_TRUE(whole.insert(proposal.config).second);
    }
    EXPECT_EQ(whole.size(), space.count() - 1);
  }
}

}  // namespace
}  // namespace cubicbench::search
