#include "results/comparison/comparison.h"

#include <algorithm>
#include <cstddef>

#include "support/statistics/hodges_lehmann.h"
#include "support/statistics/holm.h"
#include "support/statistics/mean.h"
#include "support/statistics/wilcoxon.h"

namespace cubicbench::results {
namespace {

using Pair = PairedScores::Problem;

std::vector<double> scores_of(const ComparedProblem& problem,
                              const std::vector<std::int64_t>& seeds) {
  std::vector<double> scores;
  for (const std::int64_t seed : seeds) scores.push_back(problem.seeds.at(seed).score);
  return scores;
}

std::vector<double> curve_of(const Pair& pair) {
  std::vector<double> curve;
  const std::size_t points = std::min(pair.baseline->curve.size(), pair.candidate->curve.size());
  for (std::size_t i = 0; i < points; ++i) {
    curve.push_back(pair.candidate->curve[i] - pair.baseline->curve[i]);
  }
  return curve;
}

/// But for what is adjusted over all problems: `p_holm` is the test's own.
ComparedPair compared(const Pair& pair, const PairedScores& scores, const Terms& terms) {
  const std::vector<double> differences = scores.differences(pair, &StudyNumbers::score);
  const std::vector<double> of_baseline = scores_of(*pair.baseline, scores.seeds);
  const std::vector<double> of_candidate = scores_of(*pair.candidate, scores.seeds);
  const double level = 1.0 - 2.0 * terms.alpha;
  const support::ShiftEstimate centre = support::centre_of_differences(differences, level);
  ComparedPair result{.scenario = pair.baseline->scenario,
                      .instance = pair.baseline->instance,
                      .baseline = support::mean(of_baseline),
                      .candidate = support::mean(of_candidate),
                      .superiority = support::superiority(of_candidate, of_baseline, level),
                      .shift = centre.shift,
                      .p_holm = support::wilcoxon_signed_rank(differences).p_two_sided,
                      .curve = curve_of(pair)};
  if (centre.interval) {
    result.low = centre.interval->low;
    result.high = centre.interval->high;
  }
  return result;
}

std::vector<ComparedPair> compared_problems(const PairedScores& scores, const Terms& terms) {
  std::vector<ComparedPair> problems;
  std::vector<double> p;
  for (const Pair& pair : scores.problems) {
    problems.push_back(compared(pair, scores, terms));
    p.push_back(problems.back().p_holm);
  }
  const std::vector<double> adjusted = support::holm_adjusted(p);
  for (std::size_t i = 0; i < problems.size(); ++i) problems[i].p_holm = adjusted[i];
  return problems;
}

Contribution contribution(const PairedScores& scores, const Terms& terms, std::string key,
                          std::string name, double StudyNumbers::*number) {
  return {.key = std::move(key),
          .name = std::move(name),
          .baseline = scores.mean(&Pair::baseline, number),
          .candidate = scores.mean(&Pair::candidate, number),
          .difference = difference_of(scores.mean_differences(number), terms)};
}

/// What the recommendation misses of the best that was launched, as a loss of score.
Contribution lost_to_noise(const PairedScores& scores, const Terms& terms) {
  const auto lost = [&](const ComparedProblem* Pair::*side) {
    return scores.mean(side, &StudyNumbers::score) - scores.mean(side, &StudyNumbers::best_found);
  };
  std::vector<double> differences = scores.mean_differences(&StudyNumbers::score);
  const std::vector<double> found = scores.mean_differences(&StudyNumbers::best_found);
  for (std::size_t i = 0; i < differences.size(); ++i) differences[i] -= found[i];
  return {.key = "lost_to_noise",
          .name = "recommended below the best launched",
          .baseline = lost(&Pair::baseline),
          .candidate = lost(&Pair::candidate),
          .difference = difference_of(differences, terms)};
}

/// GPU-hours, their difference in units of the baseline's mean on each problem.
Contribution gpu_hours(const PairedScores& scores, const Terms& terms) {
  std::vector<double> shares(scores.seeds.size(), 0.0);
  for (const Pair& pair : scores.problems) {
    double spent = 0.0;
    for (const std::int64_t seed : scores.seeds) spent += pair.baseline->seeds.at(seed).gpu_hours;
    if (spent == 0.0) continue;
    const double unit = spent / static_cast<double>(scores.seeds.size());
    const std::vector<double> of = scores.differences(pair, &StudyNumbers::gpu_hours);
    for (std::size_t i = 0; i < shares.size(); ++i) shares[i] += of[i] / unit;
  }
  for (double& share : shares) share /= static_cast<double>(scores.problems.size());
  return {.key = "gpu_hours",
          .name = "GPU-hours per study",
          .baseline = scores.mean(&Pair::baseline, &StudyNumbers::gpu_hours),
          .candidate = scores.mean(&Pair::candidate, &StudyNumbers::gpu_hours),
          .difference = difference_of(shares, terms)};
}

}  // namespace

Comparison compare(const ComparedSide& baseline, const ComparedSide& candidate,
                   const Terms& terms) {
  const PairedScores scores = paired_scores(baseline, candidate);
  Comparison result{
      .terms = terms,
      .baseline = baseline.name,
      .candidate = candidate.name,
      .searchers = {baseline.searcher, candidate.searcher},
      .scores = {scores.mean(&Pair::baseline, &StudyNumbers::score),
                 scores.mean(&Pair::candidate, &StudyNumbers::score)},
      .difference = difference_of(scores.mean_differences(&StudyNumbers::score), terms),
      .problems = compared_problems(scores, terms),
      .seeds = std::ssize(scores.seeds),
      .notes = scores.notes};
  result.pairs = result.seeds * std::ssize(scores.problems);
  result.verdict = verdict_of(result.difference, terms);
  result.power = power_of(result.difference, terms);
  if (result.verdict == Verdict::undecided) {
    result.seeds_needed = pairs_needed(result.difference, terms);
  }
  result.contributions = {
      contribution(scores, terms, "best_found", "best launched", &StudyNumbers::best_found),
      lost_to_noise(scores, terms),
      contribution(scores, terms, "failed_share", "launches that failed",
                   &StudyNumbers::failed_share),
      gpu_hours(scores, terms)};
  return result;
}

}  // namespace cubicbench::results
