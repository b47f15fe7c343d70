// Beside the contract of all searchers.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "sim/base/numeric.h"
#include "tests/search/driven_searcher.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::Reason;
using scenarios::SearchSpace;
using scenarios::TrialState;

/// Speed and memory are products of knobs: more of the first three is faster and takes more memory,
/// of which there is room for a third.
struct Machine {
  bool tell_bytes = true;

  static double speed(const Configuration& config) {
    double log_speed = 0.0;
    for (std::size_t i = 0; i < config.size(); ++i) {
      log_speed += sim::log(1.0 + static_cast<double>(config[i])) / static_cast<double>(i + 1);
    }
    return sim::exp(log_speed);
  }
  static double memory(const Configuration& config) {
    double memory = 1.0;
    for (std::size_t i = 0; i < 3; ++i) memory *= 1.0 + static_cast<double>(config[i]);
    return memory;
  }
  static bool runs(const Configuration& config) { return memory(config) <= limit; }

  ToldTrial operator()(std::int64_t trial, const Configuration& config) const {
    ToldTrial outcome = told(trial, config);
    if (runs(config)) {
      outcome.score = speed(config);
      if (tell_bytes) outcome.peak_bytes = 1e9 * memory(config);
      return outcome;
    }
    outcome.state = TrialState::fail;
    outcome.reason = Reason::oom_late;
    if (tell_bytes) outcome.over_bytes = 1e9 * (memory(config) - limit);
    return outcome;
  }

  static constexpr double limit = 170.0;
};

double best_found(const std::string& text, const Machine& machine, std::size_t slots = 1,
                  std::int64_t dropped = 0) {
  const SearchSpace space = wide_box();
  double best = 0.0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    double of_seed = 0.0;
    for (const Configuration& config :
         drive(*make(text, space, seed, 80), 80, machine, slots, dropped)) {
      if (Machine::runs(config)) of_seed = std::max(of_seed, Machine::speed(config));
    }
    best += of_seed / 4.0;
  }
  return best;
}

TEST(ConstrainedGp, IsFarAboveRandomOnProducts) {
  const double random = best_found("random", {});
  const std::string text = "constrained-gp:first=10:pairs=200:random=50";
  EXPECT_GT(best_found(text, {}), 1.3 * random);
  EXPECT_GT(best_found(text, {.tell_bytes = false}), 1.2 * random);
  EXPECT_GT(best_found(text, {}, 4), 1.2 * random);
}

TEST(ConstrainedGp, SeesFailuresInWhatIsNeverTold) {
  // Told of no failure at all: what others overtook has failed.
  const SearchSpace space = wide_box();
  const auto failures = [&](const std::string& text) {
    const auto searcher = make(text, space, 1, 80);
    std::int64_t failed = 0;
    for (std::int64_t trial = 0; trial < 80; ++trial) {
      const Configuration config = searcher->ask()->config;
      if (trial >= 40 && !Machine::runs(config)) ++failed;
      if (Machine::runs(config)) searcher->tell(Machine{}(trial, config));
    }
    return failed;
  };
  EXPECT_LE(failures("constrained-gp:first=10:pairs=200:random=50"), 30);
}

TEST(ConstrainedGp, FindsSomethingThatRunsWhereNothingDid) {
  // One of 64 runs, where the first two knobs are small; every failure says how much it lacked.
  const SearchSpace space = wide_box();
  const auto searcher = make("constrained-gp:first=6:pairs=200:random=100", space, 3, 60);
  bool found = false;
  drive(*searcher, 60, [&](std::int64_t trial, const Configuration& config) {
    ToldTrial outcome = told(trial, config);
    const auto over = static_cast<double>(config[0] + config[1]);
    if (over == 0.0) {
      found = true;
      outcome.score = 1.0;
    } else {
      outcome.state = TrialState::fail;
      outcome.reason = Reason::oom_init;
      outcome.over_bytes = 1e9 * over;
    }
    return outcome;
  });
  EXPECT_TRUE(found);
}

TEST(ConstrainedGp, RecommendsWhatItLaunchedWhereItIsAsked) {
  const SearchSpace space = wide_box();
  const auto searcher =
      make("constrained-gp:first=10:pairs=50:random=20:recommend=1", space, 5, 40);
  EXPECT_FALSE(searcher->recommend().has_value());
  const auto proposed = drive(*searcher, 40, Machine{});
  const std::optional<Configuration> recommended = searcher->recommend();
  ASSERT_TRUE(recommended.has_value());
  EXPECT_NE(std::ranges::find(proposed, *recommended), proposed.end());
  EXPECT_TRUE(Machine::runs(*recommended));
  const auto other = make("constrained-gp", space, 5, 40);
  drive(*other, 20, Machine{});
  EXPECT_FALSE(other->recommend().has_value());
}

}  // namespace
}  // namespace cubicbench::search
