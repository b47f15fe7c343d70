#pragma once

#include <string>

#include "results/regret/searched_problem.h"

namespace cubicbench::results {

/// What came of the searches of a problem, in two sentences: who recommends best, the median over
/// its studies without noise where that is known, how the others did, and the regret beside that of
/// random search where the optimum is known.
std::string finding_of(const SearchedProblem& problem);

}  // namespace cubicbench::results
