#include "support/statistics/sign_flip.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/philox.h"
#include "support/statistics/mean.h"

namespace cubicbench::support {
namespace {

/// Part of every recorded interval: never changes.
constexpr std::uint64_t flip_key = 0x66'6c'69'70;  // "flip"
constexpr std::size_t word_bits = 64;

/// What subsets of the differences come to.
struct Subsets {
  std::vector<double> means;  ///< of those that are not empty
  std::size_t empty = 0;
  double not_above_zero = 0.0;  ///< number of sums at most 0, empty ones included
  double not_below_zero = 0.0;

  double count() const { return static_cast<double>(means.size() + empty); }
};

/// `is_in(i)`: whether difference i is in the subset. Sums within `rounding` of 0 are 0.
template <typename IsIn>
void add_subset(std::span<const double> differences, double rounding, const IsIn& is_in,
                Subsets& subsets) {
  double sum = 0.0;
  double size = 0.0;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    const double in = is_in(i) ? 1.0 : 0.0;  // no branch, as none could be foreseen
    sum += in * differences[i];
    size += in;
  }
  if (sum <= rounding) subsets.not_above_zero += 1.0;
  if (sum >= -rounding) subsets.not_below_zero += 1.0;
  if (size == 0.0) {
    ++subsets.empty;
  } else {
    subsets.means.push_back(sum / size);
  }
}

Subsets all_subsets(std::span<const double> differences, double rounding) {
  Subsets subsets;
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << differences.size(); ++bits) {
    add_subset(
        differences, rounding, [&](std::size_t i) { return (bits >> i & 1U) != 0; }, subsets);
  }
  return subsets;
}

Subsets drawn_subsets(std::span<const double> differences, double rounding) {
  Subsets subsets;
  add_subset(
      differences, rounding, [](std::size_t) { return false; }, subsets);
  std::vector<std::uint64_t> words((differences.size() + word_bits - 1) / word_bits);
  for (std::size_t draw = 0; draw < sign_flip_draws; ++draw) {
    for (std::size_t word = 0; word < words.size(); ++word) {
      words[word] = sim::random_words({.seed = flip_key,
                                       .purpose = sim::Purpose::bootstrap,
                                       .entity = draw,
                                       .draw = static_cast<std::uint32_t>(word)})
                        .first;
    }
    add_subset(
        differences, rounding,
        [&](std::size_t i) { return (words[i / word_bits] >> i % word_bits & 1U) != 0; }, subsets);
  }
  return subsets;
}

Subsets subsets_of(std::span<const double> differences) {
  double size = 0.0;
  for (const double difference : differences) {
    SIM_ASSERT(!std::isnan(difference), difference);
    size += std::fabs(difference);
  }
  constexpr double rounding = 1e-13;
  return differences.size() <= exact_flips_max ? all_subsets(differences, rounding * size)
                                               : drawn_subsets(differences, rounding * size);
}

/// How many of `count` equally likely cases a tail of `outside` may hold.
std::int64_t allowed(double count, double outside) {
  constexpr double rounding = 1e-9;  // 0.01 x 10,000 is 100
  return static_cast<std::int64_t>(std::floor(outside * count + rounding));
}

}  // namespace

SignFlipTest sign_flip_test(std::span<const double> differences, double outside) {
  SIM_ASSERT(!differences.empty(), outside);
  SIM_ASSERT(outside > 0.0 && outside < 0.5, outside);
  Subsets subsets = subsets_of(differences);
  SignFlipTest test{.mean = mean_and_sd(differences).mean,
                    .p_less = subsets.not_below_zero / subsets.count(),
                    .p_greater = subsets.not_above_zero / subsets.count()};
  test.p_two_sided = std::min(1.0, 2.0 * std::min(test.p_less, test.p_greater));
  const std::int64_t within = allowed(subsets.count(), outside) - std::int64_t(subsets.empty);
  if (within < 0) return test;
  std::ranges::sort(subsets.means);
  test.low = subsets.means[static_cast<std::size_t>(within)];
  test.high = subsets.means[subsets.means.size() - 1 - static_cast<std::size_t>(within)];
  return test;
}

std::size_t sign_flips_needed(double outside) {
  SIM_ASSERT(outside > 0.0 && outside < 0.5, outside);
  std::size_t needed = 1;
  for (double cases = 2.0; allowed(cases, outside) < 1; cases *= 2.0) ++needed;
  return needed;
}

}  // namespace cubicbench::support
