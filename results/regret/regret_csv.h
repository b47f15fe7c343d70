#pragma once

#include <string>

#include "results/regret/searched_problem.h"

namespace cubicbench::results {

/// Every number of the regret figure as CSV. The column `series` tells what a row is:
///
///   study                      one seed after `launches` launches: `regret` of its recommendation,
///                              `observed_regret` of the best measured value
///   mean, low, high            of a series over its seeds, and its band: in `regret`
///   random_mean                random search exactly: expected best true value, in `value`, and
///                              its regret
///   random_p05 .. random_p95   likewise what random search does not exceed in regret with a
///                              probability of 5, 25, 75 and 95 %
///   optimum, median            the scale: in `value`; `regret` is 0 and 1
///
/// Requires a scale.
std::string regret_csv(const SearchedProblem& problem);

}  // namespace cubicbench::results
