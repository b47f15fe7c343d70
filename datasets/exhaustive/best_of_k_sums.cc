#include "datasets/exhaustive/best_of_k_sums.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/check.h"
#include "support/parallel.h"

namespace cubicbench::datasets {
namespace {

/// Gaps that are followed side by side.
constexpr std::size_t lanes = 8;
/// Terms are judged once in so many steps.
constexpr std::size_t stride = 16;
constexpr double negligible = 0x1p-90;

using Lanes = std::array<double, lanes>;

double sum_of(const Lanes& terms) {
  return ((terms[0] + terms[1]) + (terms[2] + terms[3])) +
         ((terms[4] + terms[5]) + (terms[6] + terms[7]));
}

bool all_below(const Lanes& terms, const Lanes& least) {
  bool below = true;
  for (std::size_t l = 0; l < lanes; ++l) below = below && terms[l] <= least[l];
  return below;
}

/// Neumaier's step: `lost` collects what rounding takes from `sum`.
void add_compensated(double term, double& sum, double& lost) {
  const double next = sum + term;
  lost += std::abs(sum) >= std::abs(term) ? (sum - next) + term : (term - next) + sum;
  sum = next;
}

}  // namespace

BestOfKSums::BestOfKSums(scenarios::Direction direction, std::uint64_t configurations,
                         std::int64_t k_max)
    : direction_(direction),
      configurations_(static_cast<double>(configurations)),
      k_max_(static_cast<std::size_t>(k_max)),
      k_distinct_(
          static_cast<std::size_t>(std::min(configurations, static_cast<std::uint64_t>(k_max)))) {
  SIM_ASSERT(configurations >= 1, configurations);
  SIM_ASSERT(k_max >= 1, k_max);
  for (std::size_t m = 0; m + 1 < k_distinct_; ++m) {
    inverse_.push_back(1.0 / (configurations_ - static_cast<double>(m) - 1.0));
  }
  inverse_.push_back(0.0);  // nothing follows the last
  sums_ = lost_ = {.with = Sums(k_max_, 0.0), .without = Sums(k_distinct_, 0.0)};
}

double BestOfKSums::first_term(const ValueGap& gap) const {
  const auto worse = static_cast<double>(gap.worse);
  const double share =
      direction_ == scenarios::Direction::maximize ? configurations_ - worse : worse;
  return gap.width * (share / configurations_);
}

void BestOfKSums::add_with(std::span<const ValueGap> gaps, Sums& sums) const {
  Lanes terms{};
  Lanes factors{};
  Lanes least{};
  for (std::size_t l = 0; l < gaps.size(); ++l) {
    terms[l] = first_term(gaps[l]);
    factors[l] = static_cast<double>(gaps[l].worse) / configurations_;
    least[l] = terms[l] * negligible;
  }
  for (std::size_t m = 0; m < sums.size(); ++m) {
    if (m % stride == 0 && all_below(terms, least)) return;
    sums[m] += sum_of(terms);
    for (std::size_t l = 0; l < lanes; ++l) terms[l] *= factors[l];
  }
}

void BestOfKSums::add_without(std::span<const ValueGap> gaps, Sums& sums) const {
  Lanes terms{};
  Lanes left{};  // configurations at or below that are not drawn yet
  Lanes least{};
  for (std::size_t l = 0; l < gaps.size(); ++l) {
    terms[l] = first_term(gaps[l]);
    left[l] = static_cast<double>(gaps[l].worse);
    least[l] = terms[l] * negligible;
    if (direction_ == scenarios::Direction::minimize) left[l] -= 1.0;
  }
  for (std::size_t m = 0; m < sums.size(); ++m) {
    if (m % stride == 0 && all_below(terms, least)) return;
    sums[m] += sum_of(terms);
    for (std::size_t l = 0; l < lanes; ++l) {
      terms[l] *= std::max(left[l], 0.0) * inverse_[m];
      left[l] -= 1.0;
    }
  }
}

BestOfKSums::Partial BestOfKSums::partial_of(std::span<const ValueGap> gaps) const {
  Partial partial{.with = Sums(k_max_, 0.0), .without = Sums(k_distinct_, 0.0)};
  for (std::size_t i = 0; i < gaps.size(); i += lanes) {
    const auto some = gaps.subspan(i, std::min(lanes, gaps.size() - i));
    add_with(some, partial.with);
    add_without(some, partial.without);
  }
  return partial;
}

void BestOfKSums::add(std::span<const ValueGap> gaps, int threads) {
  std::vector<Partial> partials((gaps.size() + block - 1) / block);
  support::parallel_for(partials.size(), threads, [&](std::size_t i) {
    partials[i] = partial_of(gaps.subspan(i * block, std::min(block, gaps.size() - i * block)));
  });
  for (const Partial& partial : partials) {
    for (std::size_t m = 0; m < k_max_; ++m) {
      add_compensated(partial.with[m], sums_.with[m], lost_.with[m]);
    }
    for (std::size_t m = 0; m < k_distinct_; ++m) {
      add_compensated(partial.without[m], sums_.without[m], lost_.without[m]);
    }
  }
}

std::vector<BestOfK> BestOfKSums::result(double lowest, double best) const {
  const bool maximize = direction_ == scenarios::Direction::maximize;
  std::vector<BestOfK> list;
  BestOfK now{.with_replacement = lowest, .without_replacement = lowest};
  BestOfK lost{.with_replacement = 0.0, .without_replacement = 0.0};
  for (std::size_t m = 0; m < k_max_; ++m) {
    const double with = sums_.with[m] + lost_.with[m];
    const double without = m < k_distinct_ ? sums_.without[m] + lost_.without[m] : 0.0;
    if (maximize) {
      add_compensated(with, now.with_replacement, lost.with_replacement);
      add_compensated(without, now.without_replacement, lost.without_replacement);
    } else {
      now = {.with_replacement = lowest + with, .without_replacement = lowest + without};
    }
    BestOfK entry{.k = static_cast<std::int64_t>(m) + 1,
                  .with_replacement = now.with_replacement + lost.with_replacement,
                  .without_replacement = now.without_replacement + lost.without_replacement};
    // All drawn, the best is among them; and rounding must not promise more than there is.
    if (m + 1 >= k_distinct_ && configurations_ <= static_cast<double>(m + 1)) {
      entry.without_replacement = best;
    }
    const auto at_best = [&](double value) {
      return maximize ? std::min(value, best) : std::max(value, best);
    };
    entry.with_replacement = at_best(entry.with_replacement);
    entry.without_replacement = at_best(entry.without_replacement);
    list.push_back(entry);
  }
  return list;
}

}  // namespace cubicbench::datasets
