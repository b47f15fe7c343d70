#include "results/exact_random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "datasets/table_scenario.h"
#include "results/bootstrap.h"
#include "results/enumeration_json.h"
#include "results/number_text.h"
#include "results/regret.h"
#include "results/search_curve.h"
#include "results/small_space.h"
#include "scenarios/instance.h"
#include "scenarios/true_values.h"
#include "search/registry.h"

namespace cubicbench::results {
namespace {

using scenarios::Direction;
using scenarios::Reason;

TEST(BestRank, IsTheSmallestWithTheProbability) {
  // Two of five: all within rank i in C(i, 2) of C(5, 2) = 10 cases: 0, 1, 3, 6, 10.
  struct Case {
    double share;
    std::uint64_t without;
    std::uint64_t with;  // (i / 5)^2: 0.04, 0.16, 0.36, 0.64, 1
  };
  for (const Case& c : {Case{0.05, 2, 2}, Case{0.25, 3, 3}, Case{0.31, 4, 3}, Case{0.5, 4, 4},
                        Case{0.63, 5, 4}, Case{0.95, 5, 5}}) {
    SCOPED_TRACE(c.share);
    EXPECT_EQ(best_rank(5, 2, c.share, Replacement::without), c.without);
    EXPECT_EQ(best_rank(5, 2, c.share, Replacement::with), c.with);
  }
  // More draws than there are: without replacement all are drawn.
  EXPECT_EQ(best_rank(5, 7, 0.01, Replacement::without), 5U);
  EXPECT_EQ(best_rank(5, 7, 1e-6, Replacement::with), 1U);  // (1 / 5)^7 = 1.28e-5
  EXPECT_EQ(best_rank(1, 1, 0.5, Replacement::without), 1U);
}

/// Of four configurations three run, at 10, 20 and 40.
datasets::Enumeration four() {
  datasets::Enumeration space;
  space.configurations = 4;
  space.failures = {{Reason::oom_init, 1}};
  for (std::size_t i = 0; i < datasets::quantile_count; ++i) {
    const std::size_t rank = (i * 3 + 4095) / 4096;
    space.quantiles.push_back(rank <= 1 ? 10.0 : rank == 2 ? 20.0 : 40.0);
  }
  space.best_of_k = {{1, 17.5, 17.5}, {2, 25.0, 28.0}};
  return space;
}

TEST(ExactRandom, TakesMeansAndRanksFromTheEnumeration) {
  const ExactRandom without = exact_random(four(), 2, Replacement::without, Direction::maximize);
  EXPECT_EQ(without.mean, (std::vector<double>{17.5, 28.0}));
  EXPECT_EQ(exact_random(four(), 2, Replacement::with, Direction::maximize).mean,
            (std::vector<double>{17.5, 25.0}));
  // Ranks from the worst: the failure at 0, 10, 20, 40. One draw is each in a quarter of the cases;
  // two are within rank 1, 2, 3, 4 in 0, 1, 3, 6 of 6.
  EXPECT_EQ(without.p05, (std::vector<double>{0.0, 10.0}));
  EXPECT_EQ(without.p25, (std::vector<double>{0.0, 20.0}));
  EXPECT_EQ(without.p75, (std::vector<double>{20.0, 40.0}));
  EXPECT_EQ(without.p95, (std::vector<double>{40.0, 40.0}));
  EXPECT_EQ(exact_random(four(), 1, Replacement::without, Direction::maximize).mean.size(), 1U);
  EXPECT_EQ(exact_random(four(), 9, Replacement::without, Direction::maximize).mean.size(), 2U);
}

TEST(ExactRandom, WhereLessIsBetterFailuresAreTheWorstOfTheSpace) {
  // From the worst: the failure at 40, then 40, 20, 10.
  const ExactRandom random = exact_random(four(), 1, Replacement::without, Direction::minimize);
  EXPECT_EQ(random.p25, (std::vector<double>{40.0}));
  EXPECT_EQ(random.p75, (std::vector<double>{20.0}));
  EXPECT_EQ(random.p95, (std::vector<double>{10.0}));
}

TEST(ExactRandom, OfASpaceThatWasNotValuedWholeIsEmpty) {
  datasets::Enumeration space = four();
  space.quantiles.clear();
  EXPECT_TRUE(exact_random(space, 2, Replacement::without, Direction::maximize).mean.empty());
}

/// The true value of a configuration, failures as what they count as.
using Worth = std::function<double(std::span<const std::int64_t>)>;

constexpr std::size_t studies_of_group = 1000;

/// The best true value so far of 1,000 studies of the searcher, side by side: entry k is after
/// k + 1 launches. Seeds begin at `first_seed`.
std::vector<std::vector<double>> sampled(const search::SearcherSpec& spec,
                                         const scenarios::Scenario& scenario, const Worth& worth,
                                         std::size_t budget, std::uint64_t first_seed) {
  std::vector<std::vector<double>> bests(budget, std::vector<double>(studies_of_group));
  for (std::size_t study = 0; study < studies_of_group; ++study) {
    const auto searcher =
        make_searcher(spec, {.space = scenario.space, .seed = first_seed + study, .trials = 1});
    double best = 0.0;
    for (std::size_t k = 0; k < budget; ++k) {
      const double value = worth(searcher->ask()->config);
      if (k == 0 || better(value, best, scenario.objective.direction)) best = value;
      bests[k][study] = best;
    }
  }
  return bests;
}

/// Share of the budgets at which `exact` lies within the 95 % bootstrap band of the studies' mean.
double share_inside(const std::vector<std::vector<double>>& bests,
                    const std::vector<double>& exact) {
  constexpr std::int64_t resamples = 500;
  const std::vector<Interval> bands = bootstrap_means(bests, resamples);
  double inside = 0.0;
  for (std::size_t k = 0; k < bands.size(); ++k) {
    // Where all studies have found the optimum the band is a point, and sums round differently.
    const double rounding = 1e-9 * std::fabs(exact[k]);
    if (exact[k] >= bands[k].low - rounding && exact[k] <= bands[k].high + rounding) ++inside;
  }
  return inside / static_cast<double>(bands.size());
}

/// The largest distance of the studies' mean from `exact`, in standard errors of the mean.
double largest_z(const std::vector<std::vector<double>>& bests, const std::vector<double>& exact) {
  double largest = 0.0;
  for (std::size_t k = 0; k < bests.size(); ++k) {
    const auto n = static_cast<double>(bests[k].size());
    const double mean = std::accumulate(bests[k].begin(), bests[k].end(), 0.0) / n;
    double squares = 0.0;
    for (const double value : bests[k]) squares += (value - mean) * (value - mean);
    const double error = std::sqrt(squares / (n - 1.0) / n);
    if (error > 1e-12 * std::fabs(mean)) {
      largest = std::max(largest, std::fabs(mean - exact[k]) / error);
    }
  }
  return largest;
}

/// Compares the exact curves with groups of 1,000 sampled studies each, with and without
/// replacement, and adds the share of budgets inside of each group to `shares` and `log`.
void compare(const scenarios::Scenario& scenario, const datasets::Enumeration& space,
             const Worth& worth, std::size_t groups, std::vector<double>& shares,
             std::string& log) {
  const std::size_t budget = std::min<std::size_t>(
      {100, space.best_of_k.size(), static_cast<std::size_t>(space.configurations)});
  for (const Replacement replacement : {Replacement::without, Replacement::with}) {
    const std::string searcher =
        replacement == Replacement::with ? "random:replacement=1" : "random";
    SCOPED_TRACE(scenario.name + ", " + searcher);
    const search::SearcherSpec spec = search::parse_searcher(searcher, "test");
    const ExactRandom exact =
        exact_random(space, budget, replacement, scenario.objective.direction);
    std::string text = scenario.name + ", " + searcher + ":";
    for (std::size_t group = 0; group < groups; ++group) {
      const auto bests = sampled(spec, scenario, worth, budget, group * studies_of_group);
      shares.push_back(share_inside(bests, exact.mean));
      EXPECT_LT(largest_z(bests, exact.mean), 5.0) << "group " << group;
      text += " " + fixed(shares.back(), 2);
    }
    log += text + "\n";
  }
}

/// Neighbouring budgets share their studies, so a curve that leaves the band by chance stays
/// outside for many of them: of one group of studies the share of budgets inside is 1 as a rule and
/// at times far less, however exact the curve is. So the group in the middle is asked for, of many.
/// That no mean is five standard errors off is what finds a curve that is wrong.
TEST(ExactRandom, LiesInTheBandOfSampledStudies) {
  std::vector<double> shares;
  std::string log;
  for (const char* const name : {"tiny-gpt", "tiny-llama", "gpt3-175b", "nanotron-3.57b-16gpu"}) {
    const scenarios::Scenario scenario = datasets::read_scenario(name);
    const scenarios::Instance instance(scenario, 0);
    const datasets::Enumeration space = value_small_space(instance, "", 100);
    scenarios::TrueValues truth(instance);
    const double failure = failure_worth(space, scenario.objective.direction);
    std::vector<std::optional<double>> known(scenario.space.count());
    const Worth worth = [&](std::span<const std::int64_t> configuration) {
      std::optional<double>& value = known[scenario.space.number_of(configuration)];
      if (!value) {
        const scenarios::TrueValue found = truth.at(configuration);
        value = found.reason == Reason::none ? found.value : failure;
      }
      return *value;
    };
    compare(scenario, space, worth, 9, shares, log);
  }
  EXPECT_GE(quantile(shares, 0.5), 0.95) << log;
}

/// The same of a large space: CUBICBENCH_ENUMERATION names what `cubicbench enumerate` wrote of a
/// scenario of the library.
TEST(ExactRandom, LiesInTheBandOfSampledStudiesOfALargeSpace) {
  const char* const file = std::getenv("CUBICBENCH_ENUMERATION");
  if (file == nullptr) GTEST_SKIP() << "CUBICBENCH_ENUMERATION is unset";
  const datasets::Enumeration space = read_enumeration(file);
  const scenarios::Scenario scenario = datasets::read_scenario(space.scenario);
  ASSERT_EQ(space.scenario_sha256, scenario.sha256);
  const scenarios::Instance instance(scenario, static_cast<std::uint64_t>(space.instance));
  ASSERT_EQ(space.truth_sha256, truth_sha256(instance));
  scenarios::TrueValues truth(instance);
  const double failure = failure_worth(space, scenario.objective.direction);
  std::vector<double> shares;
  std::string log;
  compare(
      scenario, space,
      [&](std::span<const std::int64_t> configuration) {
        const scenarios::TrueValue value = truth.at(configuration);
        return value.reason == Reason::none ? value.value : failure;
      },
      5, shares, log);
  EXPECT_GE(quantile(shares, 0.5), 0.95) << log;
}

}  // namespace
}  // namespace cubicbench::results
