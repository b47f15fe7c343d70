#include "support/statistics/wilcoxon.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/statistics/ranks.h"
#include "support/statistics/subset_sums.h"

namespace cubicbench::support {
namespace {

/// Doubled ranks of the differences that are not 0.
struct SignedRanks {
  std::vector<std::int64_t> ranks;
  std::int64_t positive = 0;  ///< sum of those of differences > 0
};

SignedRanks signed_ranks(std::span<const double> differences, Zeros zeros) {
  std::vector<double> kept;
  std::vector<double> sizes;
  for (const double difference : differences) {
    if (difference == 0.0 && zeros == Zeros::dropped) continue;
    kept.push_back(difference);
    sizes.push_back(std::fabs(difference));
  }
  const std::vector<std::int64_t> ranks = doubled_ranks(sizes);
  SignedRanks signed_ranks;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i] == 0.0) continue;
    signed_ranks.ranks.push_back(ranks[i]);
    if (kept[i] > 0.0) signed_ranks.positive += ranks[i];
  }
  return signed_ranks;
}

}  // namespace

RankTest wilcoxon_signed_rank(std::span<const double> differences, Zeros zeros) {
  const auto [ranks, positive] = signed_ranks(differences, zeros);
  const double statistic = 0.5 * static_cast<double>(positive);
  if (ranks.size() <= exact_ranks_max) {
    return exact_rank_test(statistic, subset_sums(ranks), positive);
  }
  double mean = 0.0;
  double variance = 0.0;
  for (const std::int64_t doubled : ranks) {
    const double rank = 0.5 * static_cast<double>(doubled);
    mean += rank / 2.0;
    variance += rank * rank / 4.0;
  }
  return normal_rank_test(statistic, mean, variance);
}

}  // namespace cubicbench::support
