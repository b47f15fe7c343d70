#include "datasets/exhaustive/best_rank.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/numeric.h"

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

}  // namespace cubicbench::datasets
