#pragma once

#include "results/document/figure.h"
#include "results/regret/searched_problem.h"

namespace cubicbench::results {

/// Adds what failed below the axis: a row per searcher, a mark per failed launch of its first seed,
/// and a word in the legend on each kind of failure that occurs. Nothing when nothing failed.
void add_failure_strip(const SearchedProblem& problem, Figure& figure);

}  // namespace cubicbench::results
