#include "support/statistics/subset_sums.h"

#include <numeric>

#include "sim/base/check.h"

namespace cubicbench::support {
namespace {

std::size_t largest_sum(std::span<const std::int64_t> numbers) {
  std::size_t sum = 0;
  for (const std::int64_t number : numbers) {
    SIM_ASSERT(number >= 0, number);
    sum += static_cast<std::size_t>(number);
  }
  return sum;
}

/// To every subset counted in `to` adds those counted in `from` with `number` put in.
void put_in(std::size_t number, const std::vector<double>& from, std::vector<double>& to) {
  for (std::size_t sum = to.size(); sum-- > number;) to[sum] += from[sum - number];
}

double sum_of(std::span<const double> counts) {
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

}  // namespace

std::vector<double> subset_sums(std::span<const std::int64_t> numbers) {
  std::vector<double> counts(largest_sum(numbers) + 1, 0.0);
  counts[0] = 1.0;
  for (const std::int64_t number : numbers) {
    put_in(static_cast<std::size_t>(number), counts, counts);
  }
  return counts;
}

std::vector<double> subset_sums(std::span<const std::int64_t> numbers, std::size_t size) {
  SIM_ASSERT(size <= numbers.size(), size, numbers.size());
  std::vector<std::vector<double>> of_size(size + 1,
                                           std::vector<double>(largest_sum(numbers) + 1, 0.0));
  of_size[0][0] = 1.0;
  for (const std::int64_t number : numbers) {
    for (std::size_t k = size; k >= 1; --k) {
      put_in(static_cast<std::size_t>(number), of_size[k - 1], of_size[k]);
    }
  }
  return of_size[size];
}

SumTails tails_of(std::span<const double> counts, std::int64_t sum) {
  SIM_ASSERT(sum >= 0 && sum < static_cast<std::int64_t>(counts.size()), sum, counts.size());
  const double all = sum_of(counts);
  const auto at = static_cast<std::size_t>(sum);
  return {.at_most = sum_of(counts.first(at + 1)) / all,
          .at_least = sum_of(counts.subspan(at)) / all};
}

}  // namespace cubicbench::support
