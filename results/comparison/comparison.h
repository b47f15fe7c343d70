#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/comparison/paired_scores.h"
#include "results/comparison/verdict.h"
#include "support/statistics/superiority.h"

namespace cubicbench::results {

/// One problem of a comparison.
struct ComparedPair {
  std::string scenario;
  std::int64_t instance = 0;
  double baseline = 0.0;               ///< mean score
  double candidate = 0.0;              ///< mean score
  support::Superiority superiority{};  ///< of the candidate's scores over the baseline's
  /// Hodges-Lehmann centre of the paired differences, with the bounds of level 1 - 2 alpha that
  /// belong to the test below.
  double shift = 0.0;
  std::optional<double> low{};
  std::optional<double> high{};
  double p_holm = 1.0;  ///< Wilcoxon's signed-rank test, two-sided, adjusted over all problems
  std::vector<double> curve{};  ///< candidate less baseline after twelfths of the budget
};

/// What a difference of scores consists of, or goes along with.
struct Contribution {
  std::string key;
  std::string name;
  double baseline = 0.0;
  double candidate = 0.0;
  Difference difference{};  ///< of the same unit; of GPU-hours as a share of the baseline's
};

struct Comparison {
  Terms terms{};
  std::string baseline;   ///< as the user named it
  std::string candidate;  ///< as the user named it
  std::string searchers[2];
  Verdict verdict = Verdict::undecided;
  double scores[2] = {0.0, 0.0};  ///< baseline's, candidate's
  Difference difference{};
  std::optional<Power> power{};
  std::vector<ComparedPair> problems{};
  std::vector<Contribution> contributions{};
  std::int64_t seeds = 0;
  std::int64_t pairs = 0;                      ///< seeds of all problems
  std::optional<std::int64_t> seeds_needed{};  ///< where it is undecided
  std::vector<std::string> notes{};

  bool is_no() const { return results::is_no(verdict, terms); }
};

/// The comparison of two sides over the problems and seeds that they have in common.
///
/// The question is about these problems, which are all there are, so that they do not vary; seeds
/// are drawn. Each seed gives one value, the mean over the problems of candidate less baseline, and
/// these values are independent whatever a searcher does with its seed on different problems.
/// Throws InputError as paired_scores().
Comparison compare(const ComparedSide& baseline, const ComparedSide& candidate, const Terms& terms);

}  // namespace cubicbench::results
