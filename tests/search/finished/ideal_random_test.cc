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

#include "datasets/exhaustive/best_found.h"
#include "datasets/exhaustive/enumerate.h"
#include "datasets/exhaustive/enumeration_json.h"
#include "datasets/problem/table_scenario.h"
#include "scenarios/truth/instance.h"
#include "scenarios/truth/true_values.h"
#include "search/finished/random_curve.h"
#include "search/finished/regret.h"
#include "search/finished/search_curve.h"
#include "search/searchers/registry.h"
#include "support/statistics/bootstrap.h"
#include "support/statistics/quantile.h"

namespace cubicbench::search {
namespace {

using scenarios::Direction;
using scenarios::Reason;

/// What `enumerate` says of random search, and what one of an earlier version does.
datasets::Enumeration two_draws() {
  datasets::Enumeration space;
  space.best_of_k = {{.k = 1,
                      .with_replacement = 17.5,
                      .without_replacement = 17.5,
                      .with_quantiles = {{0.0, 1.0, 20.0, 40.0}},
                      .without_quantiles = {{0.0, 2.0, 20.0, 40.0}}},
                     {.k = 2, .with_replacement = 25.0, .without_replacement = 28.0}};
  return space;
}

TEST(IdealRandom, IsWhatTheEnumerationSays) {
  const RandomCurve without = ideal_random(two_draws(), 2, Replacement::without);
  EXPECT_EQ(without.mean, (std::vector<double>{17.5, 28.0}));
  EXPECT_EQ(without.p05, (std::vector<double>{0.0}));
  EXPECT_EQ(without.p25, (std::vector<double>{2.0}));
  EXPECT_EQ(without.p75, (std::vector<double>{20.0}));
  EXPECT_EQ(without.p95, (std::vector<double>{40.0}));
  const RandomCurve with = ideal_random(two_draws(), 2, Replacement::with);
  EXPECT_EQ(with.mean, (std::vector<double>{17.5, 25.0}));
  EXPECT_EQ(with.p25, (std::vector<double>{1.0}));
  EXPECT_EQ(ideal_random(two_draws(), 1, Replacement::without).mean.size(), 1U);
  EXPECT_EQ(ideal_random(two_draws(), 9, Replacement::without).mean.size(), 2U);
}

TEST(IdealRandom, OfASpaceThatWasNotValuedWholeIsEmpty) {
  EXPECT_TRUE(ideal_random({}, 2, Replacement::without).mean.empty());
}

/// The true value of a configuration, failures as what they count as.
using Worth = std::function<double(std::span<const std::int64_t>)>;

constexpr std::size_t studies_of_group = 1000;

/// The best true value so far of 1,000 studies of the searcher, side by side: entry k is after
/// k + 1 launches. Seeds begin at `first_seed`.
std::vector<std::vector<double>> sampled(const SearcherSpec& spec,
                                         const scenarios::Scenario& scenario, const Worth& worth,
                                         std::size_t budget, std::uint64_t first_seed) {
  std::vector<std::vector<double>> bests(budget, std::vector<double>(studies_of_group));
  for (std::size_t study = 0; study < studies_of_group; ++study) {
    const auto searcher =
        make_searcher(spec, {.space = scenario.space, .seed = first_seed + study, .trials = 1});
    double best = 0.0;
    for (std::size_t k = 0; k < budget; ++k) {
      const double value = worth(searcher->ask()->config);
      if (k == 0 || datasets::is_better(value, best, scenario.objective.direction)) best = value;
      bests[k][study] = best;
    }
  }
  return bests;
}

/// Share of the budgets at which `exact` lies within the 95 % bootstrap band of the studies' mean.
double share_inside(const std::vector<std::vector<double>>& bests,
                    const std::vector<double>& exact) {
  constexpr std::int64_t resamples = 500;
  const std::vector<support::Interval> bands = support::bootstrap_means(bests, resamples);
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
    const SearcherSpec spec = parse_searcher(searcher, "test");
    const RandomCurve exact = ideal_random(space, budget, replacement);
    std::string text = scenario.name + ", " + searcher + ":";
    for (std::size_t group = 0; group < groups; ++group) {
      const auto bests = sampled(spec, scenario, worth, budget, group * studies_of_group);
      shares.push_back(share_inside(bests, exact.mean));
      EXPECT_LT(largest_z(bests, exact.mean), 5.0) << "group " << group;
      text += " " + std::to_string(shares.back());
    }
    log += text + "\n";
  }
}

/// Neighbouring budgets share their studies, so a curve that leaves the band by chance stays
/// outside for many of them: of one group of studies the share of budgets inside is 1 as a rule and
/// at times far less, however exact the curve is. So the group in the middle is asked for, of many.
/// That no mean is five standard errors off is what finds a curve that is wrong.
TEST(IdealRandom, LiesInTheBandOfSampledStudies) {
  std::vector<double> shares;
  std::string log;
  for (const char* const name : {"tiny-gpt", "tiny-llama", "gpt3-175b", "nanotron-3.57b-16gpu"}) {
    const scenarios::Scenario scenario = datasets::read_scenario(name);
    const scenarios::Instance instance(scenario, 0);
    const datasets::Enumeration space = datasets::value_small_space(instance, "", 100);
    scenarios::TrueValues truth(instance);
    const double failure = regret_scale(space, scenario.objective.direction)->failure;
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
  EXPECT_GE(support::median(shares), 0.95) << log;
}

/// The same of a large space: CUBICBENCH_ENUMERATION names what `cubicbench enumerate` wrote of a
/// scenario of the library.
TEST(IdealRandom, LiesInTheBandOfSampledStudiesOfALargeSpace) {
  const char* const file = std::getenv("CUBICBENCH_ENUMERATION");
  if (file == nullptr) GTEST_SKIP() << "CUBICBENCH_ENUMERATION is unset";
  const datasets::Enumeration space = datasets::read_enumeration(file);
  const scenarios::Scenario scenario = datasets::read_scenario(space.scenario);
  ASSERT_EQ(space.scenario_sha256, scenario.sha256);
  const scenarios::Instance instance(scenario, static_cast<std::uint64_t>(space.instance));
  ASSERT_EQ(space.truth_sha256, truth_sha256(instance));
  scenarios::TrueValues truth(instance);
  const double failure = regret_scale(space, scenario.objective.direction)->failure;
  std::vector<double> shares;
  std::string log;
  compare(
      scenario, space,
      [&](std::span<const std::int64_t> configuration) {
        const scenarios::TrueValue value = truth.at(configuration);
        return value.reason == Reason::none ? value.value : failure;
      },
      5, shares, log);
  EXPECT_GE(support::median(shares), 0.95) << log;
}

}  // namespace
}  // namespace cubicbench::search
