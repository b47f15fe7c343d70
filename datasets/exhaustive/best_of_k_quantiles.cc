#include "datasets/exhaustive/best_of_k_quantiles.h"

#include <algorithm>
#include <array>

#include "sim/base/check.h"
#include "sim/base/numeric.h"
#include "support/parallel.h"

namespace cubicbench::datasets {
namespace {

/// Is P(all k of `count` ranks <= rank) at least `share`? A factor a draw, none above 1.
bool reaches(std::uint64_t rank, std::uint64_t count, std::uint64_t k, double share,
             Replacement replacement) {
  if (replacement == Replacement::without && rank < k) return false;
  double probability = 1.0;
  for (std::uint64_t draw = 0; draw < k && probability >= share; ++draw) {
    const std::uint64_t gone = replacement == Replacement::without ? draw : 0;
    probability *= static_cast<double>(rank - gone) / static_cast<double>(count - gone);
  }
  return probability >= share;
}

/// About where the rank is. Without replacement the draws see on average (k - 1) / 2 ranks less, of
/// those within and of all: close while k is far below the rank.
std::uint64_t guess(std::uint64_t count, std::uint64_t k, double share, Replacement replacement) {
  const double gone =
      replacement == Replacement::without ? (static_cast<double>(k) - 1.0) / 2.0 : 0.0;
  const double all = static_cast<double>(count);
  const double rank = gone + (all - gone) * sim::pow(share, 1.0 / static_cast<double>(k));
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::min(rank, all)), 1, count);
}

constexpr std::array<double, 4> shares{0.05, 0.25, 0.75, 0.95};
constexpr std::size_t answers_of_k = 2 * shares.size();

BestQuantiles quantiles_at(const double* answers) {
  return {.p05 = answers[0], .p25 = answers[1], .p75 = answers[2], .p95 = answers[3]};
}

}  // namespace

std::uint64_t best_rank(std::uint64_t count, std::uint64_t k, double share,
                        Replacement replacement) {
  SIM_ASSERT(count >= 1 && k >= 1, count, k);
  SIM_ASSERT(share > 0.0 && share < 1.0, share);
  if (replacement == Replacement::without && k >= count) return count;
  const auto enough = [&](std::uint64_t rank) {
    return reaches(rank, count, k, share, replacement);
  };
  // From the guess outwards, in steps that double, then between what they found.
  std::uint64_t below = 0;  // its probability is less than `share`
  std::uint64_t rank = count;
  std::uint64_t at = guess(count, k, share, replacement);
  const bool down = enough(at);
  (down ? rank : below) = at;
  for (std::uint64_t step = 1; rank - below > 1; step *= 2) {
    if (step >= rank - below) break;
    at = down ? rank - step : below + step;
    const bool found = enough(at);
    (found ? rank : below) = at;
    if (found != down) break;
  }
  while (rank - below > 1) {
    const std::uint64_t middle = below + (rank - below) / 2;
    (enough(middle) ? rank : below) = middle;
  }
  return rank;
}

BestOfKQuantiles::BestOfKQuantiles(scenarios::Direction direction, std::uint64_t configurations,
                                   std::uint64_t failed, std::int64_t k_max, int threads)
    : asked_(static_cast<std::size_t>(k_max) * answers_of_k), answers_(asked_.size()) {
  support::parallel_for(static_cast<std::size_t>(k_max), threads, [&](std::size_t m) {
    for (std::size_t i = 0; i < answers_of_k; ++i) {
      const Replacement replacement = i < shares.size() ? Replacement::with : Replacement::without;
      const std::uint64_t from_worst =
          best_rank(configurations, m + 1, shares[i % shares.size()], replacement);
      std::uint64_t rank = from_worst <= failed ? 0 : from_worst - failed;
      if (rank > 0 && direction == scenarios::Direction::minimize) {
        rank = configurations - failed - rank + 1;
      }
      const std::size_t answer = m * answers_of_k + i;
      asked_[answer] = {.rank = rank, .answer = answer};
    }
  });
  std::ranges::sort(asked_, {}, &Asked::rank);
}

void BestOfKQuantiles::give(double failure, std::vector<BestOfK>& list) {
  for (const Asked& asked : asked_) {
    if (asked.rank > 0) break;
    answers_[asked.answer] = failure;
  }
  for (std::size_t m = 0; m < list.size(); ++m) {
    const double* const answers = &answers_[m * answers_of_k];
    list[m].with_quantiles = quantiles_at(answers);
    list[m].without_quantiles = quantiles_at(answers + shares.size());
  }
}

}  // namespace cubicbench::datasets
