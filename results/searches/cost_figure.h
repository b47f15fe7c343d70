#pragma once

#include "results/document/document.h"
#include "results/regret/searched_problem.h"

namespace cubicbench::results {

/// What every study spent, in GPU-hours, and the best value that it measured for it: a mark a
/// study.
Drawing cost_figure(const SearchedProblem& problem, const std::string& stem);

}  // namespace cubicbench::results
