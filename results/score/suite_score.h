#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/regret/searched_problem.h"
#include "support/statistics/interval.h"

namespace cubicbench::results {

/// The share of the gap between baseline and optimum that a recommendation closes
/// [docs/reference/search-folder.md]: 0 is the baseline, 1 the optimum, less than the baseline is
/// negative, down to -1, which is also that of a recommendation that fails and of none. Tables of
/// real runs state no baseline: the median of what runs takes its place, so that their score is 1 -
/// regret.
///
///   score = (f(rec) - f(baseline)) / (f* - f(baseline)) = 1 - regret (f* - f_ref) / (f* - f_base)
///
/// `baseline` is its true value; it must differ from the optimum of `scale`.
double score_of_regret(double regret, const search::RegretScale& scale, double baseline);

/// One study of a searcher on one problem.
struct StudyScore {
  std::vector<double> after;      ///< score after each launch
  std::vector<double> gpu_hours;  ///< spent until then
  double of_optimum = 0.0;        ///< f(rec) / f*, or f* / f(rec) where less is better; 0: fails
  double lost_to_noise = 0.0;     ///< how much better the best of what it launched scores
  double failed_share = 0.0;      ///< of its launches

  double last() const { return after.back(); }
};

/// Where the gap begins: the true value of the baseline, or of what takes its place. Requires a
/// scale.
double gap_start(const Yardstick& yardstick);

/// The score of a study all of whose regrets are known. `start` is where the gap begins.
StudyScore study_score(const StudyEnd& end, const search::RegretScale& scale, double start);

/// Why a problem that is measured by `yardstick` has no score; "" when it has one.
std::string score_shortcoming(const std::string& problem, const Yardstick& yardstick);

/// The studies of one searcher on one problem, a seed each.
struct ProblemScore {
  const SearchedProblem* problem = nullptr;
  std::vector<StudyScore> studies{};
  std::optional<double> baseline_gpu_hours{};  ///< what launching the baseline costs, if it was

  std::vector<double> last() const;
};

/// A searcher on all problems of a suite.
struct SearcherScore {
  std::string searcher;  ///< as series are called: "evolution (start none)"
  std::vector<ProblemScore> problems;

  double score() const;                ///< mean over problems of the mean over seeds
  support::Interval interval() const;  ///< bootstrap over problems and seeds
  /// Mean over problems and seeds of a number of each study.
  double mean(double StudyScore::*number) const;
  /// Score after each launch, as far as the longest study: one that ended keeps its last.
  std::vector<double> after_launches() const;
  /// Score once `spent` times the GPU-hours of a launch of the problem's baseline are spent: 0
  /// before the first launch ended. Nothing where what the baseline costs is not known everywhere.
  std::optional<double> after_gpu_hours(double spent) const;
};

/// Scores, and why there are none.
struct SuiteScore {
  std::vector<SearcherScore> searchers{};  ///< best first, of those that searched every problem
  std::vector<std::string> left_out{};     ///< searchers that did not
  std::vector<std::string> from_median{};  ///< problems that have no baseline
  std::vector<std::string> tellings{};     ///< what searchers were told of failures, sorted
  std::string note{};                      ///< why nobody has a score; "" when somebody has
};

/// The score of every searcher over all `problems`, which must outlive the answer. It needs the
/// optimum of each of them.
SuiteScore suite_score(const std::vector<SearchedProblem>& problems);

/// The smallest difference between two searchers' scores that `seeds` seeds each show: at a
/// two-sided level of 5 % with a power of 80 %, if both scatter as `searcher` does,
///
///   (z_0.975 + z_0.8) sqrt(2) sd / sqrt(seeds)
///
/// Normal approximation; `sd` is the standard deviation over seeds of what is compared.
double smallest_difference(double sd, double seeds);

/// The interval of a score: by the bootstrap over problems and seeds. A group has the scores of a
/// problem's studies.
support::Interval score_interval(const std::vector<std::vector<double>>& groups);

/// Standard deviation over seeds of the searcher's score on these problems, and of that on one of
/// them; nothing of fewer than two seeds.
std::optional<double> seed_sd(const SearcherScore& searcher);
std::optional<double> seed_sd(const ProblemScore& problem);

}  // namespace cubicbench::results
