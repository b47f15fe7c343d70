#include "results/comparison/verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sim/base/numeric.h"
#include "support/statistics/e_value.h"
#include "support/statistics/mean.h"
#include "support/statistics/normal.h"
#include "support/statistics/sign_flip.h"

namespace cubicbench::results {
namespace {

/// Probability with which a comparison is meant to decide.
constexpr double wanted_power = 0.9;

/// How many standard errors the mean has to be away from what a verdict excludes.
double wanted_distance(const Terms& terms) {
  return support::normal_quantile(1.0 - terms.alpha) + support::normal_quantile(wanted_power);
}

double standard_error(const Difference& difference) {
  return difference.sd / std::sqrt(static_cast<double>(difference.count));
}

/// How far the mean lies within the verdict that is nearest to be reached.
double distance_to_decision(double mean, const Terms& terms) {
  const double excludes_loss = mean + terms.margin;
  if (terms.question == Question::not_worse) return std::max({mean, excludes_loss, -mean});
  return std::max({mean, -mean, std::min(excludes_loss, terms.margin - mean)});
}

/// Pairs of which anytime_bounds() exclude what is `ratio` standard deviations away: a bet grows by
/// about ratio^2 / 2 a pair, and has to pay for all stakes that were tried.
double anytime_pairs(double ratio, double alpha) {
  constexpr double stakes = 11.0;
  const double bar = sim::log(stakes / alpha) + support::normal_quantile(wanted_power);
  return 2.0 * bar / (ratio * ratio);
}

}  // namespace

std::string_view name_of(Verdict verdict) {
  constexpr std::array<std::string_view, 4> names{"better", "not_worse", "worse", "undecided"};
  return names.at(static_cast<std::size_t>(verdict));
}

Difference difference_of(std::span<const double> differences, const Terms& terms) {
  const auto [mean, sd] = support::mean_and_sd(differences);
  Difference result{.mean = mean, .sd = sd, .count = differences.size()};
  if (terms.anytime) {
    const support::AnytimeBounds bounds = support::anytime_bounds(differences, terms.alpha);
    result.low = bounds.low;
    result.high = bounds.high;
    std::vector<double> losses;
    for (const double difference : differences) losses.push_back(-difference);
    // Each bet is one of two.
    const double most =
        std::max(support::log_sign_bet(differences, 0.0), support::log_sign_bet(losses, 0.0));
    result.p = std::min(1.0, 2.0 * sim::exp(-std::max(0.0, most)));
  } else {
    const support::SignFlipTest test = support::sign_flip_test(differences, terms.alpha);
    result.low = test.low;
    result.high = test.high;
    result.p = test.p_two_sided;
  }
  return result;
}

Verdict verdict_of(const Difference& difference, const Terms& terms) {
  const bool gains = difference.low && *difference.low > 0.0;
  const bool loses = difference.high && *difference.high < 0.0;
  const bool loses_less = difference.low && *difference.low > -terms.margin;
  const bool gains_less = difference.high && *difference.high < terms.margin;
  if (gains) return Verdict::better;
  if (loses_less && (terms.question == Question::not_worse || gains_less)) {
    return Verdict::not_worse;
  }
  return loses ? Verdict::worse : Verdict::undecided;
}

bool is_no(Verdict verdict, const Terms& terms) {
  return verdict == Verdict::worse ||
         (terms.question == Question::better && verdict == Verdict::not_worse);
}

std::optional<Power> power_of(const Difference& difference, const Terms& terms) {
  if (difference.count < 2) return std::nullopt;
  const double error = standard_error(difference);
  const double reach = support::normal_quantile(1.0 - terms.alpha) * error;
  Power power{.smallest_difference = wanted_distance(terms) * error};
  if (error > 0.0) {
    power.at_margin = support::normal_cdf((terms.margin - reach) / error);
  } else {
    power.at_margin = difference.high ? 1.0 : 0.0;
  }
  return power;
}

std::optional<std::int64_t> pairs_needed(const Difference& difference, const Terms& terms) {
  if (difference.count < 2) return std::nullopt;
  const std::size_t bounded = terms.anytime ? support::anytime_needed(terms.alpha)
                                            : support::sign_flips_needed(terms.alpha);
  const std::size_t least = std::max(bounded, difference.count + 1);
  const double distance = distance_to_decision(difference.mean, terms);
  double pairs = 0.0;
  if (difference.sd > 0.0) {
    const double ratio = distance / difference.sd;
    const double fixed = wanted_distance(terms) / ratio;
    pairs = terms.anytime ? anytime_pairs(ratio, terms.alpha) : fixed * fixed;
  }
  constexpr double most = 1e9;
  return std::max(static_cast<std::int64_t>(least),
                  static_cast<std::int64_t>(std::ceil(std::min(pairs, most))));
}

std::int64_t next_round(std::int64_t done, std::int64_t most, double alpha) {
  const auto least = static_cast<std::int64_t>(support::anytime_needed(alpha));
  const std::int64_t wanted = done < least ? least - done : (done + 3) / 4;
  return std::min(wanted, most - done);
}

}  // namespace cubicbench::results
