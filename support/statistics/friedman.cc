#include "support/statistics/friedman.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/check.h"
#include "support/statistics/distributions.h"
#include "support/statistics/holm.h"
#include "support/statistics/normal.h"
#include "support/statistics/ranks.h"

namespace cubicbench::support {
namespace {

/// Standard error of a difference of two mean ranks.
double rank_error(std::size_t treatments, std::size_t blocks) {
  const auto k = static_cast<double>(treatments);
  return std::sqrt(k * (k + 1.0) / (6.0 * static_cast<double>(blocks)));
}

/// |R_i - R_j| in standard errors.
double distance(const FriedmanTest& test, std::size_t i, std::size_t j) {
  return std::fabs(test.mean_ranks[i] - test.mean_ranks[j]) /
         rank_error(test.mean_ranks.size(), test.blocks);
}

}  // namespace

FriedmanTest friedman(std::span<const std::vector<double>> blocks) {
  SIM_ASSERT(blocks.size() >= 2, blocks.size());
  const std::size_t treatments = blocks.front().size();
  SIM_ASSERT(treatments >= 2, treatments);
  FriedmanTest test{.blocks = blocks.size(), .mean_ranks = std::vector<double>(treatments, 0.0)};
  double ties = 0.0;
  for (const std::vector<double>& block : blocks) {
    SIM_ASSERT(block.size() == treatments, block.size(), treatments);
    const std::vector<double> ranks = average_ranks(block);
    for (std::size_t j = 0; j < treatments; ++j) test.mean_ranks[j] += ranks[j];
    ties += tie_term(block);
  }
  const auto n = static_cast<double>(blocks.size());
  const auto k = static_cast<double>(treatments);
  // About the mean rank, which is the same sum without cancellation.
  double squares = 0.0;
  for (double& rank : test.mean_ranks) {
    rank /= n;
    squares += (rank - 0.5 * (k + 1.0)) * (rank - 0.5 * (k + 1.0));
  }
  const double untied = 1.0 - ties / (n * k * (k * k - 1.0));
  if (untied <= 0.0) return test;
  test.chi_squared = 12.0 * n / (k * (k + 1.0)) * squares / untied;
  test.p_chi_squared = chi_squared_tail(test.chi_squared, k - 1.0);
  const double rest = n * (k - 1.0) - test.chi_squared;
  constexpr double rounding = 1e-12;
  const bool all_alike = rest <= rounding * n * (k - 1.0);
  test.f =
      all_alike ? std::numeric_limits<double>::infinity() : (n - 1.0) * test.chi_squared / rest;
  test.p_f = all_alike ? 0.0 : f_tail(test.f, k - 1.0, (k - 1.0) * (n - 1.0));
  return test;
}

std::vector<std::vector<double>> nemenyi(const FriedmanTest& test) {
  const std::size_t k = test.mean_ranks.size();
  std::vector<std::vector<double>> p(k, std::vector<double>(k, 1.0));
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double q = std::sqrt(2.0) * distance(test, i, j);
      p[i][j] = p[j][i] = normal_range_tail(q, static_cast<int>(k));
    }
  }
  return p;
}

double nemenyi_critical_difference(std::size_t treatments, std::size_t blocks, double alpha) {
  return normal_range_quantile(alpha, static_cast<int>(treatments)) / std::sqrt(2.0) *
         rank_error(treatments, blocks);
}

std::vector<double> friedman_holm(const FriedmanTest& test, std::size_t control) {
  const std::size_t k = test.mean_ranks.size();
  SIM_ASSERT(control < k, control, k);
  std::vector<double> p;
  for (std::size_t j = 0; j < k; ++j) {
    if (j != control) p.push_back(std::min(1.0, 2.0 * normal_tail(distance(test, control, j))));
  }
  std::vector<double> adjusted = holm_adjusted(p);
  adjusted.insert(adjusted.begin() + static_cast<std::ptrdiff_t>(control), 1.0);
  return adjusted;
}

}  // namespace cubicbench::support
