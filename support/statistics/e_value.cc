#include "support/statistics/e_value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "sim/base/check.h"
#include "sim/base/numeric.h"

namespace cubicbench::support {
namespace {

constexpr std::array stakes{0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0};

/// log(exp(x) / cosh(x)), without overflow: x may be anything.
double log_gain(double x) {
  constexpr double log_two = 0.69314718055994530942;
  return x >= 0.0 ? log_two - sim::log(1.0 + sim::exp(-2.0 * x))
                  : log_two + 2.0 * x - sim::log(1.0 + sim::exp(2.0 * x));
}

/// The largest centre that the bets on greater values have won 1 / outside against.
std::optional<double> lower_bound(std::span<const double> differences, double outside) {
  if (differences.empty()) return std::nullopt;
  const double wanted = -sim::log(outside);
  const auto [least, most] = std::ranges::minmax(differences);
  const double width = std::max(most - least, 1.0);
  // Far below all differences every bet wins all it can.
  double low = least - 64.0 * width;
  if (log_sign_bet(differences, low) < wanted) return std::nullopt;
  double high = most;  // here no bet has won anything
  constexpr int halvings = 60;
  for (int i = 0; i < halvings; ++i) {
    const double middle = 0.5 * (low + high);
    (log_sign_bet(differences, middle) >= wanted ? low : high) = middle;
  }
  return low;
}

}  // namespace

double log_sign_bet(std::span<const double> differences, double centre) {
  std::array<double, stakes.size()> logs{};
  for (std::size_t i = 0; i < stakes.size(); ++i) {
    for (const double difference : differences)
      logs[i] += log_gain(stakes[i] * (difference - centre));
  }
  const double most = std::ranges::max(logs);
  double sum = 0.0;
  for (const double log : logs) sum += sim::exp(log - most);
  return most + sim::log(sum / static_cast<double>(stakes.size()));
}

AnytimeBounds anytime_bounds(std::span<const double> differences, double outside) {
  SIM_ASSERT(outside > 0.0 && outside < 1.0, outside);
  std::vector<double> mirrored;
  for (const double difference : differences) mirrored.push_back(-difference);
  AnytimeBounds bounds{.low = lower_bound(differences, outside)};
  if (const auto high = lower_bound(mirrored, outside)) bounds.high = -*high;
  return bounds;
}

std::size_t anytime_needed(double outside) {
  SIM_ASSERT(outside > 0.0 && outside < 1.0, outside);
  std::size_t needed = 0;
  for (double most = 1.0; most * outside < 1.0; most *= 2.0) ++needed;
  return needed;
}

double e_of_p(double p) {
  SIM_ASSERT(p > 0.0 && p <= 1.0, p);
  constexpr double near_one = 1e-3;
  const double x = -sim::log(p);
  // (1 - p + p log p) / (p x^2) = (e^x - 1 - x) / x^2
  if (x < near_one) return 0.5 + x / 6.0 + x * x / 24.0;
  return (1.0 / p - 1.0 - x) / (x * x);
}

double p_of_e(double e) {
  SIM_ASSERT(e >= 0.0, e);
  return e > 1.0 ? 1.0 / e : 1.0;
}

}  // namespace cubicbench::support
