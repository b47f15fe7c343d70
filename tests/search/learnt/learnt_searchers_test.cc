// What searchers with a learnt model are for: they see where it is better to look, and what fails.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "tests/search/driven_searcher.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::SearchSpace;

/// The further from the sixth value of each knob the worse; a big first knob runs out of memory.
ToldTrial hill(std::int64_t trial, const Configuration& config) {
  ToldTrial outcome = told(trial, config);
  double score = 300.0;
  for (const std::int64_t value : config) {
    score -= static_cast<double>((value - 5) * (value - 5));
  }
  if (config.front() > 5) {
    outcome.state = scenarios::TrialState::fail;
    outcome.reason = scenarios::Reason::oom_init;
    outcome.over_bytes = 1e9 * static_cast<double>(config.front() - 5);
  } else {
    outcome.score = score;
  }
  return outcome;
}

struct Reached {
  double best = 0.0;
  double failed = 0.0;  ///< share of the second half
};

Reached reached(const std::string& searcher, std::uint64_t seeds) {
  constexpr std::int64_t trials = 100;
  const SearchSpace space = wide_box();
  Reached mean;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    double best = 0.0;
    double failed = 0.0;
    drive(*make(searcher, space, seed, trials), trials,
          [&](std::int64_t trial, const Configuration& config) {
            const ToldTrial outcome = hill(trial, config);
            best = std::max(best, outcome.score.value_or(0.0));
            if (!outcome.score && trial >= trials / 2) failed += 2.0 / trials;
            return outcome;
          });
    mean.best += best / static_cast<double>(seeds);
    mean.failed += failed / static_cast<double>(seeds);
  }
  return mean;
}

TEST(LearntSearchers, ClimbAHillAndKeepFromWhatFails) {
  const Reached random = reached("random", 10);
  struct Case {
    const char* searcher;
    double gap;  ///< to the top, at most this share of that of random
  };
  for (const Case& one : {Case{"tpe", 0.6}, Case{"tpe-multivariate", 0.6}, Case{"forest", 0.5},
                          Case{"gp", 0.3}, Case{"gp:log=1", 0.3}, Case{"banana", 1.0}}) {
    SCOPED_TRACE(one.searcher);
    const Reached learnt = reached(one.searcher, 4);
    EXPECT_LT(300.0 - learnt.best, one.gap * (300.0 - random.best)) << random.best;
    EXPECT_LT(learnt.failed, random.failed + 0.1);
  }
}

}  // namespace
}  // namespace cubicbench::search
