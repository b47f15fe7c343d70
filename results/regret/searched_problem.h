#pragma once

#include <vector>

#include "results/document/series_look.h"
#include "results/regret/known_spaces.h"
#include "results/regret/series_end.h"
#include "results/studies/searcher_curves.h"
#include "search/finished/study_truth.h"

namespace cubicbench::results {

/// The seeds of one series together.
struct SearchedSeries {
  SearcherCurves curves;
  SeriesEnd end{};
  /// Mean regret of the recommendation over the seeds, and its band, entry k for k + 1 launches, as
  /// far as half of the seeds go: quartiles, or the bootstrap interval of the mean. Empty where no
  /// regret is known; no band of one seed.
  std::vector<double> mean{};
  std::vector<double> low{};
  std::vector<double> high{};
};

/// One scenario and instance with its studies: what figures, tables and JSON are made of.
struct SearchedProblem {
  const search::StudyResult* study =
      nullptr;  ///< one of the studies, which have the problem in common
  CurveOptions options;
  search::Baseline baseline;
  KnownSpace known;
  Yardstick yardstick{};
  datasets::Replacement replacement = datasets::Replacement::without;
  /// What is expected of random search, as far as the longest study: true values of its
  /// recommendations, to which the regrets of the yardstick belong. Empty where the space is not
  /// known.
  search::RandomCurve random_best{};
  /// The same without noise, failures and retries, which a figure does not show.
  search::RandomCurve random_ideal{};
  std::vector<SearchedSeries> series{};  ///< random search first, then by name

  bool maximize() const { return study->objective.direction == scenarios::Direction::maximize; }
  /// Does a figure of values show what is expected of random search? Not where failed jobs are not
  /// counted.
  bool shows_expected_random() const { return !random_best.mean.empty() && !options.hide_failures; }
  /// Is what is expected of random search that of launches, with their noise and failures?
  bool knows_launched_random() const { return !random_best.error.empty(); }
  /// "expected random", "exact random, with replacement".
  std::string random_label() const;
  /// Is the line of random search in a figure of values averaged over orders of its jobs?
  bool averages_orders() const { return options.permutations || !shows_expected_random(); }
};

/// Random search is what its launches come to, from the baseline if a study was granted it; that is
/// not known with replacement, which all studies of the searcher `random` then have, nor of
/// enumerations of earlier versions: there it is the exact one without noise.
/// Requires studies of one scenario and instance, which must outlive the result.
SearchedProblem searched_problem(const search::Studies& studies, const GivenSpaces& given,
                                 const CurveOptions& options);

/// The regrets of random search: a good value is a small regret, so that quantiles change places.
search::RandomCurve regrets_of(const search::RandomCurve& values, const search::RegretScale& scale);

/// How its searchers look, by their names.
std::vector<SeriesLook> searcher_looks(const SearchedProblem& problem);

/// Every scenario and instance of the set.
std::vector<SearchedProblem> searched_problems(const search::StudySet& set,
                                               const GivenSpaces& given,
                                               const CurveOptions& options);

}  // namespace cubicbench::results
