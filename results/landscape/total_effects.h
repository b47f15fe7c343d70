#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "results/landscape/judge.h"
#include "scenarios/space/search_space.h"

namespace cubicbench::results {

/// The variance of log y that is left when all parameters but one are held, a mean over rows.
struct LeftVariance {
  double mean = 0.0;
  std::optional<double> standard_error;  ///< of the mean; nothing of one row
};

/// Of each parameter of `space`, the numerator of its total effect:
///
///   E[Var(log y | all others)] = mean over rows and redraws of (log y - log y')^2 / 2
///
/// Of y, y' that are drawn independently and alike, half the mean squared difference is the
/// variance: Jansen's estimator [Jansen99, Saltelli10]. Departure: not one redraw of the parameter
/// a row but all of them (results/landscape/redraws.h), each pair by the product of its weights,
/// which is their variance; no chance is left but that of the rows. A redraw that does not run has
/// weight 0: the expectation is over what runs.
///
/// `rows` are numbers of configurations that run, drawn uniformly. What inactive parameters would
/// have is drawn by a fixed key. Requires a row.
std::vector<LeftVariance> left_variances(const scenarios::SearchSpace& space, const Judge& judge,
                                         std::span<const std::uint64_t> rows);

}  // namespace cubicbench::results
