#include "support/statistics/correlation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/base/check.h"
#include "support/statistics/mean.h"
#include "support/statistics/ranks.h"

namespace cubicbench::support {
namespace {

std::int64_t pairs(std::int64_t n) { return n * (n - 1) / 2; }

/// Pairs of equal entries in a sorted sequence of `count`: `same(i)` says whether entry i equals
/// the one before it.
template <typename Same>
std::int64_t tied_pairs(std::size_t count, Same same) {
  std::int64_t tied = 0;
  std::int64_t run = 1;
  for (std::size_t i = 1; i < count; ++i) {
    if (same(i)) {
      ++run;
      continue;
    }
    tied += pairs(run);
    run = 1;
  }
  return count == 0 ? 0 : tied + pairs(run);
}

/// Sorts values[begin, end) and returns how many swaps of neighbours that takes.
std::int64_t sort_counting_swaps(std::vector<double>& values, std::vector<double>& scratch,
                                 std::size_t begin, std::size_t end) {
  if (end - begin < 2) return 0;
  const std::size_t middle = begin + (end - begin) / 2;
  std::int64_t swaps = sort_counting_swaps(values, scratch, begin, middle) +
                       sort_counting_swaps(values, scratch, middle, end);
  std::size_t left = begin;
  std::size_t right = middle;
  for (std::size_t out = begin; out < end; ++out) {
    const bool take_right = right < end && (left == middle || values[right] < values[left]);
    if (take_right) swaps += static_cast<std::int64_t>(middle - left);
    scratch[out] = take_right ? values[right++] : values[left++];
  }
  std::copy(scratch.begin() + static_cast<std::ptrdiff_t>(begin),
            scratch.begin() + static_cast<std::ptrdiff_t>(end),
            values.begin() + static_cast<std::ptrdiff_t>(begin));
  return swaps;
}

bool all_equal(std::span<const double> values) {
  return std::ranges::all_of(values, [&](double value) { return value == values.front(); });
}

}  // namespace

// Sorted by a, then b, a pair is discordant exactly when sorting by b alone swaps it.
double kendall_tau_b(std::span<const double> a, std::span<const double> b) {
  SIM_ASSERT(a.size() == b.size(), a.size(), b.size());
  const std::size_t count = a.size();
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t i, std::size_t j) {
    return a[i] != a[j] ? a[i] < a[j] : b[i] < b[j];
  });
  const auto same_a = [&](std::size_t i) { return a[order[i]] == a[order[i - 1]]; };
  const std::int64_t tied_a = tied_pairs(count, same_a);
  const std::int64_t tied_both =
      tied_pairs(count, [&](std::size_t i) { return same_a(i) && b[order[i]] == b[order[i - 1]]; });

  std::vector<double> sorted(count);
  std::vector<double> scratch(count);
  for (std::size_t i = 0; i < count; ++i) sorted[i] = b[order[i]];
  const std::int64_t discordant = sort_counting_swaps(sorted, scratch, 0, count);
  const std::int64_t tied_b =
      tied_pairs(count, [&](std::size_t i) { return sorted[i] == sorted[i - 1]; });

  const std::int64_t all = pairs(static_cast<std::int64_t>(count));
  if (all == tied_a || all == tied_b) return 0.0;
  const auto concordant_less_discordant =
      static_cast<double>(all - tied_a - tied_b + tied_both - 2 * discordant);
  const double tau = concordant_less_discordant / std::sqrt(static_cast<double>(all - tied_a) *
                                                            static_cast<double>(all - tied_b));
  return std::clamp(tau, -1.0, 1.0);
}

double spearman_rho(std::span<const double> a, std::span<const double> b) {
  return pearson_r(average_ranks(a), average_ranks(b));
}

// Two passes: means first, so that a large mean does not cancel the deviations away.
double pearson_r(std::span<const double> a, std::span<const double> b) {
  SIM_ASSERT(a.size() == b.size(), a.size(), b.size());
  if (a.size() < 2 || all_equal(a) || all_equal(b)) return 0.0;
  const double mean_a = mean(a);
  const double mean_b = mean(b);
  double aa = 0.0;
  double bb = 0.0;
  double ab = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double from_a = a[i] - mean_a;
    const double from_b = b[i] - mean_b;
    aa += from_a * from_a;
    bb += from_b * from_b;
    ab += from_a * from_b;
  }
  const double scale = std::sqrt(aa) * std::sqrt(bb);
  return scale > 0.0 ? std::clamp(ab / scale, -1.0, 1.0) : 0.0;
}

}  // namespace cubicbench::support
