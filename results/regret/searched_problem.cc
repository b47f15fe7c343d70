#include "results/regret/searched_problem.h"

#include <algorithm>

#include "support/statistics/mean.h"

namespace cubicbench::results {
namespace {

/// By the searchers as they were typed; journals' searchers are not checked here.
datasets::Replacement replacement_of(const std::vector<SearcherCurves>& all) {
  bool any = false;
  for (const SearcherCurves& curves : all) {
    if (!curves.random) continue;
    any = true;
    const std::string& searcher = curves.studies.front()->searcher;
    if (searcher.find(":replacement=1") == std::string::npos) return datasets::Replacement::without;
  }
  return any ? datasets::Replacement::with : datasets::Replacement::without;
}

std::vector<double> each_regret(const std::vector<double>& values,
                                const search::RegretScale& scale) {
  std::vector<double> regrets;
  for (const double value : values) regrets.push_back(regret_of(value, scale));
  return regrets;
}

/// What is expected of random search, and the same without noise.
void add_random(const datasets::Enumeration& space, const search::Studies& studies,
                const search::RegretScale& scale, SearchedProblem& problem) {
  const std::size_t length = longest(studies);
  const bool from_baseline = std::ranges::any_of(
      studies, [](const search::StudyResult* study) { return study->start == "baseline"; });
  problem.random_ideal = search::ideal_random(space, length, problem.replacement);
  const auto launched = search::launched_random(space, length, from_baseline, scale.failure);
  const bool known = launched && problem.replacement == datasets::Replacement::without;
  problem.random_best = known ? *launched : problem.random_ideal;
  problem.yardstick.random = regrets_of(problem.random_best, scale);
  problem.yardstick.scale = scale;
}

void add_regrets(const CurveOptions& options, SearchedSeries& series) {
  const std::vector<StudyEnd>& ends = series.end.ends;
  for (std::size_t k = 0;; ++k) {
    std::vector<double> at;
    for (const StudyEnd& end : ends) {
      if (end.curve && k < end.curve->recommended.size()) at.push_back(end.curve->recommended[k]);
    }
    if (at.empty() || 2 * at.size() < ends.size()) return;
    series.mean.push_back(*support::mean_if_any(at));
    if (ends.size() == 1) continue;
    const support::Interval band = seed_band(at, options, support::Centre::mean);
    series.low.push_back(band.low);
    series.high.push_back(band.high);
  }
}

}  // namespace

search::RandomCurve regrets_of(const search::RandomCurve& values,
                               const search::RegretScale& scale) {
  return {.mean = each_regret(values.mean, scale),
          .p05 = each_regret(values.p95, scale),
          .p25 = each_regret(values.p75, scale),
          .p75 = each_regret(values.p25, scale),
          .p95 = each_regret(values.p05, scale)};
}

SearchedProblem searched_problem(const search::Studies& studies, const GivenSpaces& given,
                                 const CurveOptions& options) {
  const search::StudyResult& study = *studies.front();
  SearchedProblem problem{.study = &study,
                          .options = options,
                          .baseline = baseline_of(study),
                          .known = known_space(given, studies)};
  std::vector<SearcherCurves> curves = searcher_curves(studies, options);
  problem.replacement = replacement_of(curves);
  problem.yardstick.baseline = problem.baseline.value;
  if (const auto& space = problem.known.space) {
    // Of a sealed problem only its enumeration knows it.
    if (!problem.baseline.value) problem.yardstick.baseline = space->baseline.value;
    add_random(*space, studies, *search::regret_scale(*space, study.objective.direction), problem);
  }
  for (SearcherCurves& of : curves) {
    SearchedSeries series{.curves = std::move(of)};
    series.end.name = series.curves.series;
    for (const search::StudyResult* const one : series.curves.studies) {
      series.end.ends.push_back(end_of(*one, problem.yardstick));
    }
    if (options.drawn) add_regrets(options, series);
    problem.series.push_back(std::move(series));
  }
  return problem;
}

std::string SearchedProblem::random_label() const {
  const bool with = replacement == datasets::Replacement::with;
  return std::string(knows_launched_random() ? "expected random" : "exact random") +
         (with ? ", with replacement" : "");
}

std::vector<SearchedProblem> searched_problems(const search::StudySet& set,
                                               const GivenSpaces& given,
                                               const CurveOptions& options) {
  std::vector<SearchedProblem> problems;
  for (const search::Studies& studies : grouped_studies(set)) {
    problems.push_back(searched_problem(studies, given, options));
  }
  return problems;
}

std::vector<SeriesLook> searcher_looks(const SearchedProblem& problem) {
  std::vector<std::string> names;
  for (const SearchedSeries& series : problem.series) names.push_back(series.curves.series);
  return looks_of(names);
}

}  // namespace cubicbench::results
