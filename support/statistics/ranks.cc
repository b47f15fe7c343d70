#include "support/statistics/ranks.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace cubicbench::support {
namespace {

/// Calls use(positions, begin) for each set of equal values in ascending order: their positions in
/// `values`, and how many values are less.
template <typename Use>
void for_each_tie(std::span<const double> values, Use use) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    use(std::span(order).subspan(begin, end - begin), begin);
  }
}

}  // namespace

std::vector<std::int64_t> doubled_ranks(std::span<const double> values) {
  std::vector<std::int64_t> ranks(values.size());
  for_each_tie(values, [&](std::span<const std::size_t> tied, std::size_t less) {
    // The ranks less + 1 to less + t have the mean less + (t + 1) / 2.
    const auto rank = static_cast<std::int64_t>(2 * less + tied.size() + 1);
    for (const std::size_t i : tied) ranks[i] = rank;
  });
  return ranks;
}

std::vector<double> average_ranks(std::span<const double> values) {
  const std::vector<std::int64_t> doubled = doubled_ranks(values);
  std::vector<double> ranks(doubled.size());
  std::ranges::transform(doubled, ranks.begin(),
                         [](std::int64_t rank) { return 0.5 * static_cast<double>(rank); });
  return ranks;
}

double tie_term(std::span<const double> values) {
  double sum = 0.0;
  for_each_tie(values, [&](std::span<const std::size_t> tied, std::size_t) {
    const auto t = static_cast<double>(tied.size());
    sum += t * t * t - t;
  });
  return sum;
}

}  // namespace cubicbench::support
