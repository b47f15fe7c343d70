#pragma once

#include <string>

#include "results/document/figure.h"
#include "results/document/file_pieces.h"
#include "results/regret/searched_problem.h"

namespace cubicbench::results {

/// How far the recommendation is from the optimum after how many launches: the mean regret over the
/// seeds of each series with its band, a colour and dashes per series, and random search exactly,
/// dotted, in its bands of 50 and 90 %. The y axis is logarithmic; a regret of 0 has no place on it
/// and is drawn on its lower edge. Failed jobs count as launches, whatever CurveOptions hide.
/// Requires a scale. `name` prefixes the ids of the SVG.
Figure regret_figure(const SearchedProblem& problem, const std::string& name);

/// What the figure shows, in sentences.
std::string regret_caption(const SearchedProblem& problem);

/// Every number of the regret figure as CSV. The column `series` tells what a row is:
///
///   study                      one seed after `launches` launches: `regret` of its recommendation,
///                              `observed_regret` of the best measured value
///   mean, low, high            of a series over its seeds, and its band: in `regret`
///   random_mean                random search without noise, exactly: expected best true value, in
///                              `value`, and its regret
///   random_p05 .. random_p95   likewise what random search does not exceed in regret with a
///                              probability of 5, 25, 75 and 95 %
///   launched_random_mean ..    the same with the noise, failures and retries of launches, where
///                              that is known: what is drawn
///   optimum, median            the scale: in `value`; `regret` is 0 and 1
///
/// Requires a scale.
void write_regret_csv(const SearchedProblem& problem, const FilePiece& write);
std::string regret_csv(const SearchedProblem& problem);

}  // namespace cubicbench::results
