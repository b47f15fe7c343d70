#include "support/statistics/rank_test.h"

#include <algorithm>
#include <cmath>

#include "support/statistics/normal.h"
#include "support/statistics/subset_sums.h"

namespace cubicbench::support {
namespace {

RankTest rank_test(double statistic, double p_less, double p_greater, bool exact) {
  return {.statistic = statistic,
          .p_less = p_less,
          .p_greater = p_greater,
          .p_two_sided = std::min(1.0, 2.0 * std::min(p_less, p_greater)),
          .exact = exact};
}

}  // namespace

RankTest exact_rank_test(double statistic, std::span<const double> counts, std::int64_t at) {
  const SumTails tails = tails_of(counts, at);
  return rank_test(statistic, tails.at_most, tails.at_least, true);
}

RankTest normal_rank_test(double statistic, double mean, double variance) {
  if (!(variance > 0.0)) return rank_test(statistic, 1.0, 1.0, false);
  constexpr double continuity = 0.5;
  const double sd = std::sqrt(variance);
  return rank_test(statistic, normal_cdf((statistic - mean + continuity) / sd),
                   normal_tail((statistic - mean - continuity) / sd), false);
}

}  // namespace cubicbench::support
