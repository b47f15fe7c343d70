#pragma once

#include <string>

#include "results/regret/searched_problem.h"

namespace cubicbench::results {

/// Every number of the search figure, and more, as CSV. The column `series` tells what a row is:
///
///   job               one launch of one seed: its measured value, the best after it, and
///                     `cumulative_cost_gpu_hours` up to its end
///   frontier          running best of the searcher's seeds (median over them): in `best_so_far`;
///                     `round` as the figure colours it, of searchers with rounds
///   permutation_mean  random search: mean over random orders, likewise
///   exact_mean        random search: exact expectation, likewise
///   low, high         the band, likewise: quartiles, or a bootstrap interval
///   baseline          its noise-free value: in `true_value`
///
/// `searcher` is the name of its series. `plotted_at` is the place on the figure's x axis; jobs
/// that --hide-failures leaves out have none. In the rows of curves `launch` is the same number.
std::string search_csv(const SearchedProblem& problem);

}  // namespace cubicbench::results
