#pragma once

#include <string>

#include "results/regret/exact_random.h"
#include "results/studies/searcher_curves.h"
#include "results/studies/study_problem.h"

namespace cubicbench::results {

/// What search_figure() shows, for people: a few sentences of plain text.
std::string search_caption(const StudyGroup& group, const StudyProblem& problem,
                           const CurveOptions& options, const ExactRandom* exact = nullptr);

}  // namespace cubicbench::results
