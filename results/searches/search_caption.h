#pragma once

#include <string>

#include "results/regret/searched_problem.h"

namespace cubicbench::results {

/// What search_figure() shows, in sentences.
std::string search_caption(const SearchedProblem& problem);

}  // namespace cubicbench::results
