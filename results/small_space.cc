#include "results/small_space.h"

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "results/random_curve.h"
#include "results/regret.h"
#include "results/search_curve.h"
#include "scenarios/true_values.h"
#include "sim/base/check.h"

namespace cubicbench::results {
namespace {

using datasets::BestOfK;
using datasets::Enumeration;
using scenarios::Direction;
using scenarios::Reason;

/// E(best of k) with replacement: sum over ranks i of y_i ((i / N)^k - ((i - 1) / N)^k).
double expected_with_replacement(const std::vector<double>& from_worst, std::int64_t k) {
  const auto n = static_cast<double>(from_worst.size());
  const auto power = [&](double base) {
    double product = 1.0;
    for (std::int64_t i = 0; i < k; ++i) product *= base;
    return product;
  };
  double sum = 0.0;
  double below = 0.0;
  for (std::size_t i = 0; i < from_worst.size(); ++i) {
    const double within = power(static_cast<double>(i + 1) / n);
    sum += from_worst[i] * (within - below);
    below = within;
  }
  return sum;
}

void add_best_of_k(std::vector<double> all, std::int64_t k_max, Direction direction,
                   Enumeration& space) {
  std::ranges::sort(all, [&](double a, double b) { return better(b, a, direction); });
  const auto length =
      static_cast<std::size_t>(std::min(k_max, static_cast<std::int64_t>(all.size())));
  const std::vector<double> without = expected_best(all, length, direction);
  for (std::int64_t k = 1; k <= k_max; ++k) {
    space.best_of_k.push_back(
        {.k = k,
         .with_replacement = expected_with_replacement(all, k),
         .without_replacement =
             without[std::min(static_cast<std::size_t>(k), without.size()) - 1]});
  }
}

void add_quantiles(const std::vector<double>& ascending, Enumeration& space) {
  constexpr std::size_t last = datasets::quantile_count - 1;
  for (std::size_t i = 0; i <= last; ++i) {
    const std::size_t rank = std::max<std::size_t>(1, (i * ascending.size() + last - 1) / last);
    space.quantiles.push_back(ascending[rank - 1]);
  }
}

}  // namespace

Enumeration value_small_space(const scenarios::Instance& instance, const std::string& truth_sha256,
                              std::int64_t k_max) {
  const scenarios::Scenario& scenario = instance.scenario();
  const Direction direction = scenario.objective.direction;
  SIM_ASSERT(scenario.space.count() <= small_space_max, scenario.space.count());
  SIM_ASSERT(k_max >= 1, k_max);
  Enumeration space;
  space.scenario = scenario.name;
  space.scenario_sha256 = scenario.sha256;
  space.truth_sha256 = truth_sha256;
  space.instance = static_cast<std::int64_t>(instance.number());
  space.configurations = scenario.space.count();
  scenarios::TrueValues truth(instance);
  scenarios::Configuration configuration(scenario.space.size());
  std::map<Reason, std::uint64_t> failures;
  std::vector<double> values;
  for (std::uint64_t number = 0; number < scenario.space.count(); ++number) {
    scenario.space.configuration_at(number, configuration);
    const scenarios::TrueValue value = truth.at(configuration);
    if (value.reason == Reason::none) {
      values.push_back(value.value);
    } else {
      ++failures[value.reason];
    }
  }
  space.failures.assign(failures.begin(), failures.end());
  if (values.empty()) return space;
  std::ranges::sort(values);
  const double best = direction == Direction::maximize ? values.back() : values.front();
  space.optimum =
      datasets::Optimum{.value = best,
                        .configs = {},
                        .count = static_cast<std::uint64_t>(std::ranges::count(values, best)),
                        .certified = true,
                        .bound = best};
  add_quantiles(values, space);
  values.resize(static_cast<std::size_t>(space.configurations), failure_worth(space, direction));
  add_best_of_k(std::move(values), k_max, direction, space);
  return space;
}

}  // namespace cubicbench::results
