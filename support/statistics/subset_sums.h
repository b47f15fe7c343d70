#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cubicbench::support {

/// counts[s] is the number of subsets of `numbers` with sum s. As doubles, exact as long as there
/// are no more than 2^53 subsets. Requires numbers >= 0. Takes count x sum steps.
std::vector<double> subset_sums(std::span<const std::int64_t> numbers);

/// The same of the subsets of `size` numbers. Takes count x size x sum steps.
std::vector<double> subset_sums(std::span<const std::int64_t> numbers, std::size_t size);

/// Shares of all subsets whose sums are at most, and at least, a given one.
struct SumTails {
  double at_most = 1.0;
  double at_least = 1.0;
};

SumTails tails_of(std::span<const double> counts, std::int64_t sum);

}  // namespace cubicbench::support
