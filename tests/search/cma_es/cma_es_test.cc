#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "search/searchers/registry.h"
#include "tests/search/cma_es/stored_answers.h"
#include "tests/search/driven_searcher.h"
#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::SearchSpace;

/// The space of the stored history: eight knobs, of which the first labels are the third.
SearchSpace stored_space(const StoredAnswers& stored) {
  constexpr std::array names{"tensor_parallel", "pipeline_parallel", "sharding", "micro_batch",
                             "virtual_stages",  "recompute",         "wrap",     "shard_group"};
  std::vector<scenarios::ParameterSpec> parameters;
  for (const StoredLine& line : stored.lines("knob")) {
    std::istringstream rest(line.rest);
    std::string kind;
    std::int64_t values = 0;
    rest >> kind >> values;
    const std::string name = names[parameters.size()];
    parameters.push_back(kind == "labels" ? categorical(name, run_of(values, 0))
                                          : ordinal(name, run_of(values)));
  }
  return built(parameters);
}

std::vector<ToldTrial> stored_trials(const StoredAnswers& stored) {
  std::vector<ToldTrial> trials;
  for (const StoredLine& line : stored.lines("trial")) {
    const std::vector<double> numbers = line.numbers();
    Configuration config;
    for (std::size_t i = 0; i + 1 < numbers.size(); ++i) {
      config.push_back(static_cast<std::int64_t>(numbers[i]));
    }
    ToldTrial trial = told(static_cast<std::int64_t>(trials.size()), config);
    trial.score = numbers.back();
    trials.push_back(trial);
  }
  return trials;
}

/// How often each value is the next proposal of a thousand seeds that were told the history.
std::vector<std::vector<double>> next_proposals(const std::string& text,
                                                const StoredAnswers& stored) {
  const SearchSpace space = stored_space(stored);
  const std::vector<ToldTrial> history = stored_trials(stored);
  std::vector<std::vector<double>> counts;
  for (const auto& parameter : space.parameters()) counts.emplace_back(parameter.values.size());
  for (std::uint64_t seed = 0; seed < 1'000; ++seed) {
    const auto searcher = make(text, space, seed);
    for (const ToldTrial& trial : history) searcher->tell(trial);
    const Configuration next = searcher->ask()->config;
    for (std::size_t i = 0; i < next.size(); ++i) {
      counts[i][static_cast<std::size_t>(next[i])] += 1.0;
    }
  }
  return counts;
}

/// The chi-squared statistic of two samples of sizes A and B over their values: the sum of
/// (a sqrt(B / A) - b sqrt(A / B))^2 / (a + b), and its degrees of freedom. Values that are
/// expected less than five times in the smaller sample count as one.
struct TwoSamples {
  double chi_squared = 0.0;
  std::size_t freedom = 0;
};

TwoSamples compare(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double rare = 5.0;
  double total_a = 0.0;
  double total_b = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    total_a += a[i];
    total_b += b[i];
  }
  TwoSamples result;
  double rest_a = 0.0;
  double rest_b = 0.0;
  const auto add = [&](double x, double y) {
    if (x + y == 0.0) return;
    const double off = std::sqrt(total_b / total_a) * x - std::sqrt(total_a / total_b) * y;
    result.chi_squared += off * off / (x + y);
    ++result.freedom;
  };
  for (std::size_t i = 0; i < a.size(); ++i) {
    if ((a[i] + b[i]) * total_a / (total_a + total_b) < rare) {
      rest_a += a[i];
      rest_b += b[i];
    } else {
      add(a[i], b[i]);
    }
  }
  add(rest_a, rest_b);
  --result.freedom;
  return result;
}

/// Knobs whose proposals differ from those of cmaes. Holm's method at 0.01 finds a difference
/// exactly if the least p is at most 0.01 / 8: the quantiles of chi-squared with 1 to 7 degrees of
/// freedom at that (scipy.stats.chi2.ppf).
std::size_t different_knobs(const std::string& text) {
  constexpr std::array quantiles{10.41, 13.37, 15.79, 17.97, 20.00, 21.92, 23.77};
  const StoredAnswers stored("cmaes_history.txt");
  const auto ours = next_proposals(text, stored);
  const auto theirs = stored.lines("counts");
  EXPECT_EQ(ours.size(), theirs.size());
  EXPECT_EQ(ours.size(), 8U);
  std::size_t different = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const TwoSamples samples = compare(ours[i], theirs[i].numbers());
    if (samples.chi_squared > quantiles.at(samples.freedom - 1)) ++different;
  }
  return different;
}

TEST(CmaEs, ProposesAsCmaesDoesAfterOneHistory) {
  EXPECT_EQ(different_knobs("cma-es"), 0U);
  // A thousand seeds see other settings: twice the first deviation, generations of ten.
  EXPECT_GT(different_knobs("cma-es:deviations=3"), 0U);
  EXPECT_GT(different_knobs("cma-es:population=10"), 0U);
}

double near_the_corner(const Configuration& config) {
  double sum = 0.0;
  for (const std::int64_t value : config) {
    sum -= static_cast<double>(value - 6) * static_cast<double>(value - 6);
  }
  return sum;
}

/// The mean score of the launches from `from` on.
double mean_score(const std::string& text, const SearchSpace& space, std::size_t from) {
  double sum = 0.0;
  constexpr int seeds = 10;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const auto searcher = make(text, space, seed);
    const auto proposed =
        drive(*searcher, 150, [](std::int64_t trial, const Configuration& config) {
          ToldTrial outcome = told(trial, config);
          outcome.score = near_the_corner(config);
          return outcome;
        });
    for (std::size_t i = from; i < proposed.size(); ++i) {
      sum += near_the_corner(proposed[i]) / static_cast<double>(seeds * (proposed.size() - from));
    }
  }
  return sum;
}

TEST(CmaEs, MovesTowardsTheBetterOnes) {
  // A random value of 0 to 7 is (36 + 25 + 16 + 9 + 4 + 1 + 0 + 1) / 8 = 11.5 squares away from 6.
  const SearchSpace space = wide_box();
  EXPECT_NEAR(mean_score("random", space, 120), 8 * -11.5, 5.0);
  EXPECT_GT(mean_score("cma-es", space, 120), 0.25 * 8 * -11.5);
}

TEST(CmaEs, BeginsAtTheGrantedBaseline) {
  // Values are a seventh of the range apart, a first deviation is a twentieth: more than one value
  // further is 4.3 deviations away, until a generation of ten is told.
  const SearchSpace space = wide_box();
  const Configuration baseline{1, 6, 3, 2, 5, 4, 7, 0};
  const auto searcher =
      make_searcher(parse_searcher("cma-es:deviations=20", "test"),
                    {.space = space, .seed = 3, .trials = 100, .baseline = baseline});
  ToldTrial first = told(0, baseline);
  first.score = 1.0;
  searcher->tell(first);
  ToldTrial second = told(1, searcher->ask()->config);
  second.score = 0.0;  // a random one, worse: now they tell configurations apart
  searcher->tell(second);
  for (int i = 0; i < 5; ++i) {
    const Configuration next = searcher->ask()->config;
    for (std::size_t knob = 0; knob < next.size(); ++knob) {
      EXPECT_LE(std::abs(next[knob] - baseline[knob]), 1) << i;
    }
  }
}

TEST(CmaEs, RoundsAreGenerations) {
  const SearchSpace space = wide_box();  // 8 coordinates: generations of 4 + 6
  const auto searcher = make("cma-es", space, 1);
  std::vector<std::int64_t> rounds;
  for (std::int64_t trial = 0; trial < 60; ++trial) {
    const auto proposal = searcher->ask();
    rounds.push_back(proposal->round);
    ToldTrial outcome = told(trial, proposal->config);
    outcome.score = near_the_corner(proposal->config);
    searcher->tell(outcome);
  }
  // The first two are random and belong to none.
  EXPECT_EQ(rounds[11], 0);
  EXPECT_EQ(rounds[12], 1);
  EXPECT_EQ(rounds[59], 5);
}

}  // namespace
}  // namespace cubicbench::search
