#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "support/statistics/mean.h"

namespace cubicbench::support {

/// Share of the variance of `values` that the means of their levels have, the first-order index of
/// [Sobol93]:
///
///   S = Var(E[y | level]) / Var(y) = 1 - W / T
///
/// W  squared distances of values from the mean of their level, summed;  T  those from the mean of
/// all. In a sample the means of levels differ by chance alone, which is taken off: with n values
/// on k levels W / (n - k) and T / (n - 1) have the variances themselves as expectations, so
///
///   S = 1 - (n - 1) / (n - k) * W / T        "epsilon squared" [Liu22], below 0 by chance: then 0
///
/// Nothing where values do not vary or where a sample has a level for every value. Requires as many
/// levels as values; levels are any numbers.
std::optional<double> main_effect(std::span<const std::int64_t> levels,
                                  std::span<const double> values, Drawn drawn);

}  // namespace cubicbench::support
