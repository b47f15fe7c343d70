#include "support/statistics/hodges_lehmann.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/base/check.h"
#include "support/statistics/normal.h"
#include "support/statistics/quantile.h"
#include "support/statistics/rank_test.h"
#include "support/statistics/subset_sums.h"

namespace cubicbench::support {
namespace {

/// 1 ... n: ranks without ties.
std::vector<std::int64_t> ranks_to(std::size_t n) {
  std::vector<std::int64_t> ranks(n);
  std::iota(ranks.begin(), ranks.end(), std::int64_t{1});
  return ranks;
}

/// The largest k >= 0 whose sums 0 ... k have at most the probability `outside`; -1 if there is
/// none. `counts` begin with the smallest possible sum.
std::int64_t exact_cut(std::span<const double> counts, double outside) {
  // (1 - 0.9) / 2 is a bit less than 1 / 20, which a level of 0.9 allows.
  constexpr double rounding = 1.0 + 1e-12;
  const double allowed = outside * rounding * std::accumulate(counts.begin(), counts.end(), 0.0);
  std::int64_t cut = -1;
  double at_most = 0.0;
  for (const double count : counts) {
    at_most += count;
    if (at_most > allowed) break;
    ++cut;
  }
  return cut;
}

/// The same of a normal distribution, which gives k the probability up to k + 1/2.
std::int64_t normal_cut(double mean, double variance, double outside) {
  const double cut = std::floor(mean + normal_quantile(outside) * std::sqrt(variance) - 0.5);
  return static_cast<std::int64_t>(std::max(cut, -1.0));
}

std::int64_t signed_rank_cut(std::size_t count, double outside) {
  if (count <= exact_ranks_max) return exact_cut(subset_sums(ranks_to(count)), outside);
  const auto n = static_cast<double>(count);
  return normal_cut(n * (n + 1.0) / 4.0, n * (n + 1.0) * (2.0 * n + 1.0) / 24.0, outside);
}

std::int64_t rank_sum_cut(std::size_t of_a, std::size_t of_b, double outside) {
  if (of_a + of_b <= exact_ranks_max) {
    const std::vector<double> counts = subset_sums(ranks_to(of_a + of_b), of_a);
    return exact_cut(std::span(counts).subspan(of_a * (of_a + 1) / 2), outside);
  }
  const auto m = static_cast<double>(of_a);
  const auto n = static_cast<double>(of_b);
  return normal_cut(m * n / 2.0, m * n * (m + n + 1.0) / 12.0, outside);
}

/// The median, and the interval from the (cut + 1)-th smallest to the (cut + 1)-th largest.
ShiftEstimate estimate_of(std::vector<double> differences, std::int64_t cut) {
  std::ranges::sort(differences);
  ShiftEstimate estimate{.shift = quantile_of_sorted(differences, 0.5)};
  if (cut < 0) return estimate;
  const auto k = static_cast<std::size_t>(cut);
  estimate.interval = {.low = differences[k], .high = differences[differences.size() - 1 - k]};
  return estimate;
}

double outside_of(double level) {
  SIM_ASSERT(level > 0.0 && level < 1.0, level);
  return (1.0 - level) / 2.0;
}

}  // namespace

ShiftEstimate centre_of_differences(std::span<const double> differences, double level) {
  SIM_ASSERT(!differences.empty(), level);
  std::vector<double> averages;
  averages.reserve(differences.size() * (differences.size() + 1) / 2);
  for (std::size_t i = 0; i < differences.size(); ++i) {
    for (std::size_t j = i; j < differences.size(); ++j) {
      averages.push_back(0.5 * (differences[i] + differences[j]));
    }
  }
  return estimate_of(std::move(averages), signed_rank_cut(differences.size(), outside_of(level)));
}

ShiftEstimate shift_between(std::span<const double> a, std::span<const double> b, double level) {
  SIM_ASSERT(!a.empty() && !b.empty(), a.size(), b.size());
  std::vector<double> differences;
  differences.reserve(a.size() * b.size());
  for (const double of_a : a) {
    for (const double of_b : b) differences.push_back(of_a - of_b);
  }
  return estimate_of(std::move(differences), rank_sum_cut(a.size(), b.size(), outside_of(level)));
}

}  // namespace cubicbench::support
