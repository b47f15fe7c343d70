#pragma once

#include <string>

#include "results/regret/group_regret.h"
#include "results/studies/searcher_curves.h"

namespace cubicbench::results {

/// Every number of the regret figure as CSV, numbers in the shortest form that reads back. The
/// column `series` says what a row is:
///
///   study                       one seed after `launches` launches: `regret` of its
///   recommendation,
///                               `observed_regret` of the best measured value
///   mean, low, high             of a series over its seeds, and its band: in `regret`
///   random_mean                 random search exactly: expected best true value, in `value`, and
///                               its regret
///   random_p05, .. random_p95   likewise what random search does not exceed in regret with a
///                               probability of 5, 25, 75 and 95 %
///   optimum, median             the scale: in `value`; `regret` is 0 and 1
///
/// What does not apply is empty. Requires a scale.
std::string regret_csv(const StudyGroup& group, const GroupRegret& regret);

}  // namespace cubicbench::results
