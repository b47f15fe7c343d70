#include "results/studies/searcher_curves.h"

#include <algorithm>
#include <cmath>

#include "datasets/exhaustive/best_found.h"
#include "results/document/number_text.h"
#include "search/finished/charged_launches.h"
#include "search/searchers/charge.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

using scenarios::Direction;
using search::Studies;
using search::StudyResult;
using search::Values;

/// A value per launch that was charged; of places with short launches alone none.
Values values_of(const StudyResult& study) {
  Values values;
  for (const search::ChargedPlace& place : search::charged_places(study)) {
    values.push_back(place.whole ? study.launches[*place.whole].value : std::nullopt);
  }
  return values;
}

/// Each study's values, those that count.
std::vector<Values> shown_values(const Studies& studies, bool hide_failures) {
  std::vector<Values> shown;
  for (const StudyResult* const study : studies) {
    shown.push_back(values_of(*study));
    if (hide_failures) std::erase(shown.back(), std::nullopt);
  }
  return shown;
}

void add_band(const support::Interval& band, SearcherCurves& curves) {
  curves.low.push_back(band.low);
  curves.high.push_back(band.high);
}

Values together(const std::vector<Values>& studies) {
  Values pool;
  for (const Values& study : studies) pool.insert(pool.end(), study.begin(), study.end());
  return pool;
}

void add_random(const std::vector<Values>& values, Direction direction, const CurveOptions& options,
                SearcherCurves& curves) {
  std::size_t length = 0;
  for (const Values& study : values) length = std::max(length, study.size());
  const std::vector<double> numbers = search::filled(together(values), direction);
  curves.permutation_mean = search::mean_running_best(
      numbers, length, options.permutations.value_or(usual_permutations), direction);
  curves.exact_mean = search::expected_best(numbers, length, direction);
  if (values.size() == 1) return;
  if (options.bootstrap == 0) {
    curves.low = search::best_quantile(numbers, length, 0.25, direction);
    curves.high = search::best_quantile(numbers, length, 0.75, direction);
    return;
  }
  for (const std::vector<double>& at : search::aligned_bests(values, direction)) {
    add_band(seed_band(at, options, support::Centre::mean), curves);
  }
}

void add_frontier(const std::vector<Values>& values, Direction direction,
                  const CurveOptions& options, SearcherCurves& curves) {
  if (values.size() == 1) {
    curves.frontier = search::running_best(values.front(), direction);
    return;
  }
  for (const std::vector<double>& at : search::aligned_bests(values, direction)) {
    curves.frontier.emplace_back(support::median(at));
    add_band(seed_band(at, options, support::Centre::median), curves);
  }
}

bool is_random(const std::string& searcher) {
  return searcher == "random" || searcher.starts_with("random:");
}

/// The curves of one series.
SearcherCurves curves_of(const Studies& studies, const CurveOptions& options) {
  const StudyResult& first = *studies.front();
  SearcherCurves curves{
      .series = first.series, .studies = studies, .random = is_random(first.searcher)};
  if (!options.drawn) return curves;
  (curves.random ? add_random : add_frontier)(shown_values(studies, options.hide_failures),
                                              first.objective.direction, options, curves);
  return curves;
}

}  // namespace

std::vector<CurveJob> jobs_of(const StudyResult& study, bool hide_failures) {
  const std::vector<double> charged = search::charged_after(study);
  std::vector<CurveJob> jobs;
  std::optional<double> best;
  double cost = 0.0;
  std::int64_t successes = 0;
  for (std::size_t i = 0; i < charged.size(); ++i) {
    const search::StudyLaunch& launch = study.launches[i];
    cost += launch.cost_gpu_hours;
    const bool whole = launch.fidelity == search::whole_launch;
    const bool success = whole && launch.value;
    if (success) ++successes;
    if (success &&
        (!best || datasets::is_better(*launch.value, *best, study.objective.direction))) {
      best = launch.value;
    }
    const auto place = hide_failures ? successes : static_cast<std::int64_t>(std::ceil(charged[i]));
    const bool hidden = !whole || (hide_failures && !success);
    jobs.push_back({.launch = static_cast<std::int64_t>(i) + 1,
                    .plotted_at = hidden ? std::nullopt : std::optional(place),
                    .of = &launch,
                    .best_so_far = best,
                    .cost_gpu_hours = cost});
  }
  return jobs;
}

std::size_t line_end(const SearcherCurves& curves) {
  return std::max(curves.frontier.size(), curves.exact_mean.size());
}

std::size_t places_of(const SearcherCurves& curves, bool hide_failures) {
  std::size_t places = line_end(curves);
  for (const CurveJob& job : jobs_of(*curves.studies.front(), hide_failures)) {
    if (job.plotted_at) places = std::max(places, static_cast<std::size_t>(*job.plotted_at));
  }
  return places;
}

std::vector<SearcherCurves> searcher_curves(const Studies& studies, const CurveOptions& options) {
  std::vector<SearcherCurves> all;
  const auto differ = [](const StudyResult* a, const StudyResult* b) {
    return a->series != b->series;
  };
  for (auto begin = studies.begin(); begin != studies.end();) {
    auto end = std::adjacent_find(begin, studies.end(), differ);
    if (end != studies.end()) ++end;
    all.push_back(curves_of({begin, end}, options));
    begin = end;
  }
  std::stable_partition(all.begin(), all.end(),
                        [](const SearcherCurves& curves) { return curves.random; });
  return all;
}

support::Interval seed_band(std::span<const double> values, const CurveOptions& options,
                            support::Centre centre) {
  if (options.bootstrap > 0) return support::bootstrap_interval(values, options.bootstrap, centre);
  const std::vector<double> all(values.begin(), values.end());
  return {.low = support::quantile(all, 0.25), .high = support::quantile(all, 0.75)};
}

std::string band_text(const CurveOptions& options) {
  if (options.bootstrap == 0) return "their quartiles";
  return "its 95 % bootstrap interval (" + grouped(static_cast<std::uint64_t>(options.bootstrap)) +
         " resamples of the seeds)";
}

}  // namespace cubicbench::results
