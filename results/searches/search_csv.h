#pragma once

#include <string>

#include "results/studies/searcher_curves.h"
#include "results/studies/study_problem.h"

namespace cubicbench::results {

/// Every number of the search figure, and more, as CSV. The column `series` says what a row is:
///
///   job               one launch of one seed: what it measured, the best after it, and
///                     `cumulative_cost_gpu_hours` up to its end
///   frontier          running best of the searcher's seeds (median over them): in `best_so_far`;
///   `round`
///                     as the figure colours it, of searchers with rounds
///   permutation_mean  random search: mean over random orders, likewise
///   exact_mean        random search: exact expectation, likewise
///   low, high         the band, likewise: quartiles, or a bootstrap interval
///   baseline          its noise-free value: in `true_value`
///
/// `searcher` is the name of its series. `plotted_at` is the place on the figure's x axis. Jobs
/// that
/// --hide-failures leaves out have none; they are here all the same. In the rows of curves `launch`
/// is the same number.
///
/// What does not apply or is not known is empty. Numbers are in the shortest form that reads back.
std::string search_csv(const StudyGroup& group, const StudyProblem& problem,
                       const CurveOptions& options);

}  // namespace cubicbench::results
