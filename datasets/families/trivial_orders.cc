#include "datasets/families/trivial_orders.h"

#include <algorithm>
#include <cstddef>
#include <functional>

#include "scenarios/problem/score.h"
#include "scenarios/space/corner.h"
#include "sim/base/numeric.h"
#include "support/permutation.h"

namespace cubicbench::datasets {
namespace {

using Numbers = std::vector<std::uint64_t>;

/// Names the sample of corners. Part of every member: never changes.
constexpr std::uint64_t corner_key = 0x636f726e6572;
constexpr std::uint64_t corner_sample = 4'000;

/// The corners of a sample, each once.
Numbers some_corners(const scenarios::SearchSpace& space) {
  const support::Permutation order(scenarios::corner_count(space), corner_key);
  scenarios::Configuration corner(space.size());
  Numbers numbers;
  for (std::uint64_t i = 0; i < std::min(corner_sample, order.count()); ++i) {
    scenarios::corner_at(space, order(i), corner);
    numbers.push_back(space.number_of(corner));
  }
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

Numbers first_numbers(const scenarios::Scenario& scenario) {
  const auto trials = static_cast<std::uint64_t>(scenario.budget.trials);
  Numbers numbers(std::min(scenario.space.count(), trials));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
  return numbers;
}

/// Scores of those that run, the best first.
std::vector<double> running_scores(const scenarios::Objective& objective, const Judge& judge,
                                   const Numbers& numbers) {
  std::vector<double> scores;
  for (const scenarios::TrueValue& truth : judge(numbers)) {
    if (truth.reason != scenarios::Reason::none) continue;
    scores.push_back(scenarios::score_of(objective, truth.value));
  }
  std::ranges::sort(scores, std::greater<>());
  return scores;
}

}  // namespace

double Gap::closed(double score) const {
  return std::clamp((score - baseline) / (best - baseline), 0.0, 1.0);
}

double expected_closed(const Gap& gap, std::span<const double> running, std::uint64_t rows,
                       std::int64_t draws) {
  const auto none_of = [&](std::size_t best_rows) {
    const double others = 1.0 - static_cast<double>(best_rows) / static_cast<double>(rows);
    return sim::pow(others, static_cast<double>(draws));
  };
  double expected = 0.0;
  for (std::size_t i = 0; i < running.size(); ++i) {
    const double closed = gap.closed(running[i]);
    if (closed == 0.0) break;
    expected += closed * (none_of(i) - none_of(i + 1));
  }
  return expected;
}

TrivialOrders trivial_orders(const scenarios::Scenario& scenario, const Gap& gap,
                             const Judge& judge) {
  TrivialOrders orders;
  const auto listed = running_scores(scenario.objective, judge, first_numbers(scenario));
  if (!listed.empty()) orders.listed = gap.closed(listed.front());
  const Numbers corners = some_corners(scenario.space);
  orders.corners = expected_closed(gap, running_scores(scenario.objective, judge, corners),
                                   corners.size(), scenario.budget.trials);
  return orders;
}

}  // namespace cubicbench::datasets
