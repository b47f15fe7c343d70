#pragma once

#include <string>

#include "results/document/figure.h"
#include "results/document/file_pieces.h"
#include "results/regret/searched_problem.h"

namespace cubicbench::results {

/// The series whose single jobs are shown, so that dots do not cover lines: who works in rounds,
/// else the last. Requires a series.
std::size_t subject_of(const SearchedProblem& problem);

/// The best so far against the number of jobs: the counterpart of CubicML's Fig. 2(a).
///
/// Dots are the measured values of the first seed's jobs, the line is the running best (over
/// several seeds its median, with its band), for random search the mean over random orders of its
/// jobs and its exact expectation. Where the space is known and failed jobs count, the exact
/// expectation is that of the whole space without noise, drawn whether or not random search is
/// among the searchers, and the other line is exact too unless orders are asked for. A searcher
/// that works in rounds has a colour per round, for its dots and for the piece of its line that
/// belongs to the round. A level of long dashes is the scenario's baseline; marks below the axis
/// are failed jobs. Where no launch succeeded the figure says so in the place of curves. Colours,
/// dashes and marks of twelve series can be told apart, after which they begin again. `name`
/// prefixes the ids of the SVG.
Figure search_figure(const SearchedProblem& problem, const std::string& name);

/// What the figure shows, in sentences.
std::string search_caption(const SearchedProblem& problem);

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
void write_search_csv(const SearchedProblem& problem, const FilePiece& write);
std::string search_csv(const SearchedProblem& problem);

}  // namespace cubicbench::results
