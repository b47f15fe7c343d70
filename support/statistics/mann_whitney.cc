#include "support/statistics/mann_whitney.h"

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/base/check.h"
#include "support/statistics/ranks.h"
#include "support/statistics/subset_sums.h"

namespace cubicbench::support {
namespace {

std::vector<double> joined(std::span<const double> a, std::span<const double> b) {
  std::vector<double> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

/// Twice the sum of the ranks of the first `count`.
std::int64_t doubled_rank_sum(std::span<const std::int64_t> doubled, std::size_t count) {
  const auto first = doubled.first(count);
  return std::accumulate(first.begin(), first.end(), std::int64_t{0});
}

double u_of(std::int64_t doubled_sum, std::size_t count) {
  const auto m = static_cast<std::int64_t>(count);
  return 0.5 * static_cast<double>(doubled_sum - m * (m + 1));
}

}  // namespace

double mann_whitney_u(std::span<const double> a, std::span<const double> b) {
  return u_of(doubled_rank_sum(doubled_ranks(joined(a, b)), a.size()), a.size());
}

double a12(std::span<const double> a, std::span<const double> b) {
  SIM_ASSERT(!a.empty() && !b.empty(), a.size(), b.size());
  return mann_whitney_u(a, b) / (static_cast<double>(a.size()) * static_cast<double>(b.size()));
}

RankTest mann_whitney(std::span<const double> a, std::span<const double> b) {
  SIM_ASSERT(!a.empty() && !b.empty(), a.size(), b.size());
  const std::vector<double> all = joined(a, b);
  const std::vector<std::int64_t> ranks = doubled_ranks(all);
  const std::int64_t sum = doubled_rank_sum(ranks, a.size());
  const double u = u_of(sum, a.size());
  if (all.size() <= exact_ranks_max) return exact_rank_test(u, subset_sums(ranks, a.size()), sum);
  const auto m = static_cast<double>(a.size());
  const auto n = static_cast<double>(b.size());
  const double both = m + n;
  const double ties = tie_term(all) / (both * (both - 1.0));
  return normal_rank_test(u, m * n / 2.0, m * n / 12.0 * (both + 1.0 - ties));
}

}  // namespace cubicbench::support
