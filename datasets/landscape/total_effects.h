#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "datasets/landscape/judge.h"
#include "scenarios/space/search_space.h"

namespace cubicbench::datasets {

/// A configuration that redrawing one parameter leads to.
struct Redraw {
  std::uint64_t number = 0;
  double weight = 0.0;  ///< in proportion to its probability

  bool operator==(const Redraw&) const = default;
};

/// Where redrawing parameter `parameter` of a configuration leads, all others being held: one entry
/// a value that no constraint rejects, the present one included. Nothing for an inactive parameter,
/// whose value says nothing.
///
/// `held` is the configuration with a value for inactive parameters too: what they would have. A
/// change that makes them active brings that value out. If those values are uniform, a
/// configuration and what lies hidden behind it have probability 1 / (configurations x values of
/// each inactive parameter, multiplied); so has each redraw, and weights are in proportion. Redraws
/// by weight of a uniform configuration are uniform again.
std::vector<Redraw> redraws(const scenarios::SearchSpace& space,
                            std::span<const std::int64_t> configuration,
                            std::span<const std::int64_t> held, std::size_t parameter);

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
/// a row but all of them (redraws above), each pair by the product of its weights,
/// which is their variance; no chance is left but that of the rows. A redraw that does not run has
/// weight 0: the expectation is over what runs.
///
/// `rows` are numbers of configurations that run, drawn uniformly. What inactive parameters would
/// have is drawn by a fixed key. Requires a row.
std::vector<LeftVariance> left_variances(const scenarios::SearchSpace& space, const Judge& judge,
                                         std::span<const std::uint64_t> rows);

}  // namespace cubicbench::datasets
