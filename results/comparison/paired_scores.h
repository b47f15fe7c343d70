#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cubicbench::results {

/// What one study came to, as far as comparisons need it.
struct StudyNumbers {
  double score = -1.0;        ///< of the recommendation, see results/score/suite_score.h
  double best_found = -1.0;   ///< score of the best of what was launched, noise aside
  double failed_share = 0.0;  ///< of its launches
  double gpu_hours = 0.0;

  bool operator==(const StudyNumbers&) const = default;
};

/// The studies of one searcher on one problem.
struct ComparedProblem {
  std::string scenario;
  std::int64_t instance = 0;
  std::string scenario_sha256{};
  std::string truth_sha256{};
  std::int64_t trials = 0;                       ///< launches of the budget
  std::map<std::int64_t, StudyNumbers> seeds{};  ///< by seed
  /// Mean score over all seeds after 1 / 12, 2 / 12 ... of the budget.
  std::vector<double> curve{};

  bool operator==(const ComparedProblem&) const = default;
};

inline constexpr int curve_points = 12;

/// "ads-73b", "ads-73b, instance 2".
std::string problem_name(const ComparedProblem& problem);

/// One of the two searchers that are compared.
struct ComparedSide {
  std::string name{};   ///< as the user named it: a folder, or "reference:random"
  std::string version;  ///< of the program that made the studies
  std::string searcher;
  std::string suite{};  ///< "" where the problems were named one by one
  std::string start{};
  std::string telling{};
  std::int64_t slots = 1;
  bool permute = false;
  bool is_warm = false;   ///< searchers were told launches before their studies
  std::string command{};  ///< that makes the studies again; "" where no command does
  std::vector<ComparedProblem> problems{};

  bool operator==(const ComparedSide&) const = default;
};

/// The problems of both sides, each with the seeds that every problem has on both sides, so that a
/// seed is one value for each problem.
struct PairedScores {
  struct Problem {
    const ComparedProblem* baseline = nullptr;
    const ComparedProblem* candidate = nullptr;
  };
  std::vector<Problem> problems{};
  std::vector<std::int64_t> seeds{};
  std::vector<std::string> notes{};  ///< what was left out, and what differs, a sentence each

  /// Candidate less baseline of one problem, a value per seed; `number` of their studies.
  std::vector<double> differences(const Problem& problem, double StudyNumbers::*number) const;
  /// Mean over the problems of the same.
  std::vector<double> mean_differences(double StudyNumbers::*number) const;
  /// Mean of one side's studies over problems and seeds.
  double mean(const ComparedProblem* Problem::*side, double StudyNumbers::*number) const;
};

/// Pairs two sides, which must outlive the answer. Throws InputError where they cannot be compared,
/// with the command that makes one of them anew: other versions, scenarios, truths or budgets, and
/// where they have no problem or no seed in common.
PairedScores paired_scores(const ComparedSide& baseline, const ComparedSide& candidate);

}  // namespace cubicbench::results
