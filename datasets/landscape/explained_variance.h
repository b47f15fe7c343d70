#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace cubicbench::datasets {

/// How much of a quantity's variance sums of simple effects explain, as shares of it.
struct ExplainedVariance {
  double singles = 0.0;  ///< an effect of each parameter's value
  double pairs = 0.0;    ///< what an effect of each pair of values adds to that

  bool operator==(const ExplainedVariance&) const = default;
};

/// Fits both sums to every second row and asks how well they tell the other rows, so that effects
/// of chance explain nothing:
///
///   y = mean + sum over i of a_i(x_i)                              share 1 - SSE / SST: singles
///   y = mean + sum over i of a_i(x_i) + sum over i < j of b_ij(x_i, x_j)     more than that: pairs
///
/// Backfitting [HastieTibshirani90, section 4.4]: each effect in turn is the mean of what the
/// others leave of the rows that have its values, over their number and three more, which draws
/// effects of few rows to 0. Main effects apart, as support/statistics/main_effect.h has them,
/// would count twice what constraints make parameters share.
///
/// `levels` has the values of a row's parameters, one list a parameter, any number for a value.
/// Nothing where there are fewer than 100 rows, or the rows that are told do not vary. A share that
/// is below 0 counts as 0.
std::optional<ExplainedVariance> explained_variance(
    std::span<const std::vector<std::int64_t>> levels, std::span<const double> y);

}  // namespace cubicbench::datasets
