#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "search/searchers/registry.h"
#include "tests/search/driven_searcher.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::SearchSpace;

/// Twice the speed with the last value of the first knob; with the first it fails.
ToldTrial one_knob_counts(std::int64_t trial, const Configuration& config) {
  ToldTrial outcome = told(trial, config);
  if (config[0] == 0) {
    outcome.state = scenarios::TrialState::fail;
  } else {
    outcome.score = config[0] == 7 ? 2.0 : 1.0;
  }
  return outcome;
}

/// The share of the last 50 of 250 launches that have a value of the first knob.
double late_share(const std::string& text, std::int64_t value) {
  const SearchSpace space = wide_box();
  double share = 0.0;
  constexpr int seeds = 20;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto proposed = drive(*make(text, space, seed), 250, one_knob_counts);
    for (std::size_t i = 200; i < proposed.size(); ++i) {
      if (proposed[i][0] == value) share += 1.0 / (50.0 * seeds);
    }
  }
  return share;
}

TEST(Reinforce, DrawsMoreOftenWhatIsFasterAndLessWhatFails) {
  EXPECT_NEAR(late_share("random", 7), 0.125, 0.05);
  EXPECT_GT(late_share("reinforce:rate=1", 7), 0.8);
  EXPECT_LT(late_share("reinforce:rate=1", 0), 0.05);
}

TEST(Reinforce, LearnsSlowlyAtTheRateOfItsSource) {
  EXPECT_GT(late_share("reinforce", 7), 0.2);
  EXPECT_LT(late_share("reinforce", 7), 0.8);
}

}  // namespace
}  // namespace cubicbench::search
