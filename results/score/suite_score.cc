#include "results/score/suite_score.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "search/finished/charged_launches.h"
#include "search/finished/study_truth.h"
#include "search/searchers/charge.h"
#include "sim/base/check.h"
#include "support/statistics/bootstrap.h"
#include "support/statistics/mean.h"
#include "support/statistics/normal.h"

namespace cubicbench::results {
namespace {

using scenarios::Direction;

constexpr std::int64_t resamples = 2'000;
constexpr double score_min = -1.0;

/// Position of the launch of trial 0 that completed, if the study was granted the baseline.
std::optional<double> granted_cost(const search::StudyResult& study) {
  if (study.start != "baseline") return std::nullopt;
  for (const search::StudyLaunch& launch : study.launches) {
    if (launch.trial == 0 && launch.value) return launch.cost_gpu_hours;
  }
  return std::nullopt;
}

/// What a searcher that always knew the truth would have made of the same whole launches.
double best_launched(const search::StudyResult& study, const search::RegretScale& scale,
                     double baseline) {
  double best = score_min;
  const auto truths = launch_truths(study);
  for (std::size_t i = 0; i < truths.size(); ++i) {
    const auto& truth = truths[i];
    if (study.launches[i].fidelity < search::whole_launch) continue;
    if (!truth || truth->reason != scenarios::Reason::none) continue;
    best = std::max(best, score_of_regret(regret_of(truth->value, scale), scale, baseline));
  }
  return best;
}

double share_of_optimum(const StudyEnd& end, double best) {
  if (!end.recommended) return 0.0;
  const bool maximize = end.study->objective.direction == Direction::maximize;
  return maximize ? *end.recommended / best : best / *end.recommended;
}

ProblemScore problem_score(const SearchedProblem& problem, const SearchedSeries& series) {
  ProblemScore score{.problem = &problem};
  for (const StudyEnd& end : series.end.ends) {
    if (!end.curve) continue;
    score.studies.push_back(
        study_score(end, *problem.yardstick.scale, gap_start(problem.yardstick)));
    if (!score.baseline_gpu_hours) score.baseline_gpu_hours = granted_cost(*end.study);
  }
  return score;
}

/// What the studies of all problems were told of failures, each once.
std::vector<std::string> tellings_of(const std::vector<SearchedProblem>& problems) {
  std::set<std::string> tellings;
  for (const SearchedProblem& problem : problems) {
    for (const SearchedSeries& series : problem.series) {
      for (const StudyEnd& end : series.end.ends) tellings.insert(end.study->telling);
    }
  }
  return {tellings.begin(), tellings.end()};
}

SearcherScore* find(std::vector<SearcherScore>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &SearcherScore::searcher);
  return found == all.end() ? nullptr : &*found;
}

/// What a study scores at a place of an axis: of its last launch by then.
double score_at(const StudyScore& study, std::size_t launches) {
  return study.after[std::min(launches, study.after.size()) - 1];
}

double score_at_cost(const StudyScore& study, double gpu_hours) {
  const auto over = std::ranges::upper_bound(study.gpu_hours, gpu_hours);
  const auto ended = static_cast<std::size_t>(over - study.gpu_hours.begin());
  return ended == 0 ? 0.0 : score_at(study, ended);
}

/// Mean over problems of the mean over seeds of what `number` says of a study and its problem.
template <typename Number>
double mean_over(const std::vector<ProblemScore>& problems, const Number& number) {
  double sum = 0.0;
  for (const ProblemScore& problem : problems) {
    double of_problem = 0.0;
    for (const StudyScore& study : problem.studies) of_problem += number(problem, study);
    sum += of_problem / static_cast<double>(problem.studies.size());
  }
  return sum / static_cast<double>(problems.size());
}

}  // namespace

StudyScore study_score(const StudyEnd& end, const search::RegretScale& scale, double start) {
  const search::StudyResult& study = *end.study;
  StudyScore score;
  for (const double regret : end.curve->recommended) {
    score.after.push_back(score_of_regret(regret, scale, start));
  }
  double spent = 0.0;
  std::size_t ended = 0;
  for (const search::ChargedPlace& place : search::charged_places(study)) {
    for (; ended < place.ended; ++ended) spent += study.launches[ended].cost_gpu_hours;
    score.gpu_hours.push_back(spent);
  }
  const StudyTally& tally = end.tally;
  score.failed_share =
      static_cast<double>(tally.failed.launches) / static_cast<double>(tally.all.launches);
  score.of_optimum = share_of_optimum(end, scale.best);
  score.lost_to_noise = std::max(0.0, best_launched(study, scale, start) - score.last());
  return score;
}

double gap_start(const Yardstick& yardstick) {
  return yardstick.baseline.value_or(yardstick.scale->reference);
}

std::string score_shortcoming(const std::string& problem, const Yardstick& yardstick) {
  if (!yardstick.scale) return "the optimum of " + problem + " is not known";
  if (gap_start(yardstick) == yardstick.scale->best) {
    return "the baseline of " + problem + " is its optimum";
  }
  return "";
}

double score_of_regret(double regret, const search::RegretScale& scale, double baseline) {
  const double ratio = (scale.best - scale.reference) / (scale.best - baseline);
  return std::max(score_min, 1.0 - regret * ratio);
}

std::vector<double> ProblemScore::last() const {
  std::vector<double> scores;
  for (const StudyScore& study : studies) scores.push_back(study.last());
  return scores;
}

double SearcherScore::score() const {
  return mean_over(problems, [](const ProblemScore&, const StudyScore& of) { return of.last(); });
}

support::Interval SearcherScore::interval() const {
  std::vector<std::vector<double>> groups;
  for (const ProblemScore& problem : problems) groups.push_back(problem.last());
  return score_interval(groups);
}

double SearcherScore::mean(double StudyScore::*number) const {
  return mean_over(problems, [&](const ProblemScore&, const StudyScore& of) { return of.*number; });
}

std::vector<double> SearcherScore::after_launches() const {
  std::size_t longest = 0;
  for (const ProblemScore& problem : problems) {
    for (const StudyScore& study : problem.studies) longest = std::max(longest, study.after.size());
  }
  std::vector<double> scores;
  for (std::size_t launches = 1; launches <= longest; ++launches) {
    scores.push_back(mean_over(problems, [&](const ProblemScore&, const StudyScore& of) {
      return score_at(of, launches);
    }));
  }
  return scores;
}

std::optional<double> SearcherScore::after_gpu_hours(double spent) const {
  const auto unknown = [](const ProblemScore& of) { return !of.baseline_gpu_hours.has_value(); };
  if (std::ranges::any_of(problems, unknown)) return std::nullopt;
  return mean_over(problems, [&](const ProblemScore& problem, const StudyScore& of) {
    return score_at_cost(of, spent * *problem.baseline_gpu_hours);
  });
}

SuiteScore suite_score(const std::vector<SearchedProblem>& problems) {
  SuiteScore suite;
  for (const SearchedProblem& problem : problems) {
    const std::string why = score_shortcoming(problem_name(*problem.study), problem.yardstick);
    if (!why.empty()) return {.note = "There is no score: " + why + "."};
    if (!problem.yardstick.baseline) suite.from_median.push_back(problem_name(*problem.study));
    for (const SearchedSeries& series : problem.series) {
      ProblemScore score = problem_score(problem, series);
      if (score.studies.empty()) continue;
      const std::string& name = series.end.name;
      if (find(suite.searchers, name) == nullptr)
        suite.searchers.push_back({.searcher = name, .problems = {}});
      find(suite.searchers, name)->problems.push_back(std::move(score));
    }
  }
  suite.tellings = tellings_of(problems);
  const auto lacking = [&](const SearcherScore& of) {
    return of.problems.size() < problems.size();
  };
  for (const SearcherScore& of : suite.searchers) {
    if (lacking(of)) suite.left_out.push_back(of.searcher);
  }
  std::erase_if(suite.searchers, lacking);
  std::ranges::stable_sort(suite.searchers, std::greater(), &SearcherScore::score);
  return suite;
}

double smallest_difference(double sd, double seeds) {
  constexpr double level = 0.05;
  constexpr double power = 0.8;
  const double z = support::normal_quantile(1.0 - level / 2.0) + support::normal_quantile(power);
  return z * std::sqrt(2.0 / seeds) * sd;
}

support::Interval score_interval(const std::vector<std::vector<double>>& groups) {
  return support::bootstrap_nested(groups, resamples);
}

std::optional<double> seed_sd(const ProblemScore& problem) {
  if (problem.studies.size() < 2) return std::nullopt;
  return support::mean_and_sd(problem.last()).sd;
}

std::optional<double> seed_sd(const SearcherScore& searcher) {
  double sum = 0.0;
  for (const ProblemScore& problem : searcher.problems) {
    const auto sd = seed_sd(problem);
    if (!sd) return std::nullopt;
    sum += *sd * *sd;
  }
  return std::sqrt(sum) / static_cast<double>(searcher.problems.size());
}

}  // namespace cubicbench::results
