#include "results/exact_random.h"

#include <algorithm>

#include "results/regret.h"
#include "sim/base/check.h"

namespace cubicbench::results {
namespace {

using datasets::BestOfK;
using datasets::Enumeration;
using scenarios::Direction;

/// P(all k of `count` ranks <= rank), for each factor of which one draw stands.
double probability_within(std::uint64_t rank, std::uint64_t count, std::uint64_t k,
                          Replacement replacement) {
  if (replacement == Replacement::without && k > count) k = count;
  if (replacement == Replacement::without && rank < k) return 0.0;
  double probability = 1.0;
  for (std::uint64_t draw = 0; draw < k && probability > 0.0; ++draw) {
    const std::uint64_t gone = replacement == Replacement::without ? draw : 0;
    probability *= static_cast<double>(rank - gone) / static_cast<double>(count - gone);
  }
  return probability;
}

/// The values of a space by rank, from the worst, failures first.
class Ranks {
 public:
  Ranks(const Enumeration& space, Direction direction) : space_(space), direction_(direction) {
    for (const auto& [reason, count] : space.failures) failures_ += count;
  }

  double value_at(std::uint64_t rank) const {
    if (rank <= failures_) return failure_worth(space_, direction_);
    const std::uint64_t runs = space_.configurations - failures_;
    const std::uint64_t from_worst = rank - failures_;
    const std::uint64_t ascending =
        direction_ == Direction::maximize ? from_worst : runs - from_worst + 1;
    constexpr auto last = static_cast<std::uint64_t>(datasets::quantile_count - 1);
    // Entry e is the order statistic ceil(e runs / 4096); of up to 4,096 values that is ascending.
    return space_.quantiles[static_cast<std::size_t>(ascending * last / runs)];
  }

 private:
  const Enumeration& space_;
  Direction direction_;
  std::uint64_t failures_ = 0;
};

}  // namespace

bool shows_exact_space(const CurveOptions& options, const ExactRandom* exact) {
  return exact != nullptr && !exact->mean.empty() && !options.hide_failures;
}

bool averages_orders(const CurveOptions& options, const ExactRandom* exact) {
  return options.permutations.has_value() || !shows_exact_space(options, exact);
}

std::uint64_t best_rank(std::uint64_t count, std::uint64_t k, double share,
                        Replacement replacement) {
  SIM_ASSERT(count >= 1 && k >= 1, count, k);
  SIM_ASSERT(share > 0.0 && share < 1.0, share);
  std::uint64_t below = 0;  // its probability is less than `share`
  std::uint64_t rank = count;
  while (rank - below > 1) {
    const std::uint64_t middle = below + (rank - below) / 2;
    (probability_within(middle, count, k, replacement) < share ? below : rank) = middle;
  }
  return rank;
}

ExactRandom exact_random(const Enumeration& space, std::size_t length, Replacement replacement,
                         Direction direction) {
  ExactRandom random;
  if (space.quantiles.size() != datasets::quantile_count) return random;
  const Ranks ranks(space, direction);
  for (const BestOfK& best : space.best_of_k) {
    if (random.mean.size() == length) break;
    random.mean.push_back(replacement == Replacement::with ? best.with_replacement
                                                           : best.without_replacement);
    const auto quantile = [&](double share) {
      return ranks.value_at(
          best_rank(space.configurations, static_cast<std::uint64_t>(best.k), share, replacement));
    };
    random.p05.push_back(quantile(0.05));
    random.p25.push_back(quantile(0.25));
    random.p75.push_back(quantile(0.75));
    random.p95.push_back(quantile(0.95));
  }
  return random;
}

}  // namespace cubicbench::results
