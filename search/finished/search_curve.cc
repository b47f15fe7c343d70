#include "search/finished/search_curve.h"

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "datasets/exhaustive/best_found.h"
#include "sim/base/check.h"
#include "sim/base/philox.h"

namespace cubicbench::search {
namespace {

using scenarios::Direction;

double failure_value(std::span<const std::optional<double>> values, Direction direction) {
  double worst = 0.0;
  if (direction == Direction::maximize) return worst;
  for (const std::optional<double>& value : values) worst = std::max(worst, value.value_or(0.0));
  return worst;
}

/// Key of the orders; part of every published average.
constexpr std::uint64_t permutation_key = 0x66'69'67'32'61;  // "fig2a"

/// The first `length` entries as sim::shuffle() would leave them of 0, 1, 2, ... The others are of
/// no use, so what would change places with them is only moved.
void begin_order(std::vector<std::uint32_t>& order, std::size_t length, sim::Draw name) {
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  for (std::size_t i = order.size(); i > length; --i) {
    name.draw = static_cast<std::uint32_t>(i);
    order[static_cast<std::size_t>(sim::uniform_below(name, i))] = order[i - 1];
  }
  std::span<std::uint32_t> first(order.data(), length);
  sim::shuffle(first, name);
}

/// From the worst to the best.
std::vector<double> ranked(std::span<const double> values, Direction direction) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted,
                    [&](double a, double b) { return datasets::is_better(b, a, direction); });
  return sorted;
}

}  // namespace

Values running_best(std::span<const std::optional<double>> values, Direction direction) {
  Values best;
  std::optional<double> so_far;
  for (const std::optional<double>& value : values) {
    if (value && (!so_far || datasets::is_better(*value, *so_far, direction))) so_far = value;
    best.push_back(so_far);
  }
  return best;
}

std::vector<double> filled(std::span<const std::optional<double>> values, Direction direction) {
  const double failure = failure_value(values, direction);
  std::vector<double> numbers;
  for (const std::optional<double>& value : values) numbers.push_back(value.value_or(failure));
  return numbers;
}

std::vector<std::vector<double>> aligned_bests(std::span<const Values> studies,
                                               Direction direction) {
  Values all;
  std::vector<Values> bests;
  for (const Values& study : studies) {
    all.insert(all.end(), study.begin(), study.end());
    bests.push_back(running_best(study, direction));
  }
  const double failure = failure_value(all, direction);
  std::vector<std::vector<double>> aligned;
  for (std::size_t k = 0;; ++k) {
    std::vector<double> at;
    for (const Values& best : bests) {
      if (k < best.size()) at.push_back(best[k].value_or(failure));
    }
    if (at.empty() || 2 * at.size() < bests.size()) return aligned;
    aligned.push_back(std::move(at));
  }
}

std::vector<double> expected_best(std::span<const double> values, std::size_t length,
                                  Direction direction) {
  const std::size_t n = values.size();
  SIM_ASSERT(length <= n, length, n);
  const std::vector<double> y = ranked(values, direction);
  // Then neither weights nor values grow from one term to the next, so that once a term is too
  // small to change the sum all are.
  const bool may_end = direction == Direction::maximize && n > 0 && y.front() >= 0.0;
  std::vector<double> expected;
  for (std::size_t k = 1; k <= length; ++k) {
    double weight = static_cast<double>(k) / static_cast<double>(n);
    double sum = 0.0;
    for (std::size_t i = n; i >= k; --i) {
      const double before = sum;
      sum += weight * y[i - 1];
      if (may_end && sum == before) break;
      if (i > 1) weight *= static_cast<double>(i - k) / static_cast<double>(i - 1);
    }
    expected.push_back(sum);
  }
  return expected;
}

std::vector<double> best_quantile(std::span<const double> values, std::size_t length, double share,
                                  Direction direction) {
  const std::size_t n = values.size();
  SIM_ASSERT(length <= n, length, n);
  SIM_ASSERT(share > 0.0 && share < 1.0, share);
  const std::vector<double> y = ranked(values, direction);
  std::vector<double> quantiles;
  for (std::size_t k = 1; k <= length; ++k) {
    std::size_t i = n;
    double below = 1.0;  // C(i, k) / C(n, k)
    while (i > k) {
      below *= static_cast<double>(i - k) / static_cast<double>(i);
      if (below < share) break;
      --i;
    }
    quantiles.push_back(y[i - 1]);
  }
  return quantiles;
}

std::vector<double> mean_running_best(std::span<const double> values, std::size_t length,
                                      std::int64_t permutations, Direction direction) {
  SIM_ASSERT(length <= values.size(), length, values.size());
  SIM_ASSERT(permutations >= 1, permutations);
  std::vector<double> sum(length, 0.0);
  std::vector<std::uint32_t> order(values.size());
  for (std::int64_t p = 0; p < permutations; ++p) {
    begin_order(order, length,
                {.seed = permutation_key,
                 .purpose = sim::Purpose::bootstrap,
                 .entity = static_cast<std::uint64_t>(p)});
    for (std::size_t k = 0, best = 0; k < length; ++k) {
      if (k == 0 || datasets::is_better(values[order[k]], values[best], direction)) {
        best = order[k];
      }
      sum[k] += values[best];
    }
  }
  for (double& value : sum) value /= static_cast<double>(permutations);
  return sum;
}

}  // namespace cubicbench::search
