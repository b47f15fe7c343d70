#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/comparison/paired_scores.h"
#include "support/statistics/friedman.h"
#include "support/statistics/interval.h"

namespace cubicbench::results {

/// What the studies of one searcher came to together. Means over the problems are of the mean over
/// the seeds of each.
struct BoardRow {
  std::string searcher;  ///< with the entry in brackets where one of that name stands above it
  std::string telling;
  std::int64_t seeds = 0;        ///< of the problem that has fewest
  double score = 0.0;            ///< mean over the problems
  support::Interval interval{};  ///< bootstrap over problems and seeds
  std::optional<double> rank{};  ///< mean over the problems, 1 the best; of two searchers on
  double failed_share = 0.0;     ///< of the launches, mean over the problems
  double lost_to_noise = 0.0;    ///< best launched less recommended, mean over the problems
  double gpu_hours = 0.0;        ///< of a study, geometric mean over the problems
  std::optional<double> milliseconds{};  ///< of a processor per launch, of searchers that ship
  std::vector<double> scores{};          ///< of each problem
  std::vector<double> curve{};           ///< score after twelfths of the budget
};

/// Searchers on the same problems from the same start.
struct Leaderboard {
  std::string suite;  ///< "" where the problems were named one by one
  std::string start;  ///< "baseline" or "none"
  std::string version;
  std::vector<ComparedProblem> problems{};  ///< without their seeds
  std::vector<BoardRow> rows{};             ///< best first
  /// Of two searchers and two problems on: whether they rank alike over the problems, by the mean
  /// scores of each; its ranks are in the order of the rows.
  std::optional<support::FriedmanTest> friedman{};
  double critical_difference = 0.0;  ///< of mean ranks, by Nemenyi at 5 %

  /// Whether the row's mean rank is so near the best one that the test does not tell them apart.
  /// Requires ranks.
  bool near_the_best(const BoardRow& row) const;
};

/// Probability that the critical difference separates any two searchers that are alike.
inline constexpr double board_alpha = 0.05;

/// The leaderboard of entries with one start. Throws InputError where an entry is not of the same
/// problems, budgets, truth and version as the first. Requires an entry.
Leaderboard leaderboard_of(const std::vector<ComparedSide>& entries);

/// Time of one processor per launch of a study of the suite `standard`, journals and simulation
/// included, as scripts/make_references.sh measured it; nothing of other searchers.
std::optional<double> launch_milliseconds(const std::string& searcher);

}  // namespace cubicbench::results
