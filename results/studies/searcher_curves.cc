#include "results/studies/searcher_curves.h"

#include <algorithm>

#include "results/studies/random_curve.h"
#include "sim/base/check.h"
#include "support/statistics/bootstrap.h"

namespace cubicbench::results {
namespace {

using scenarios::Direction;

Values shown_values(const StudyResult& study, bool hide_failures) {
  const Values all = values_of(study);
  return hide_failures ? without_failures(all) : all;
}

void add_bootstrap_band(const std::vector<Values>& values, Direction direction,
                        std::int64_t resamples, support::Centre centre, SearcherCurves& curves) {
  for (const std::vector<double>& at : aligned_bests(values, direction)) {
    const support::Interval interval = support::bootstrap_interval(at, resamples, centre);
    curves.low.push_back(interval.low);
    curves.high.push_back(interval.high);
  }
}

void add_random(const std::vector<Values>& values, Direction direction, const CurveOptions& options,
                SearcherCurves& curves) {
  Values pool;
  std::size_t length = 0;
  for (const Values& study : values) {
    pool.insert(pool.end(), study.begin(), study.end());
    length = std::max(length, study.size());
  }
  const std::vector<double> numbers = filled(pool, direction);
  curves.permutation_mean = mean_running_best(
      numbers, length, options.permutations.value_or(usual_permutations), direction);
  curves.exact_mean = expected_best(numbers, length, direction);
  if (values.size() == 1) return;
  if (options.bootstrap > 0) {
    add_bootstrap_band(values, direction, options.bootstrap, support::Centre::mean, curves);
  } else {
    curves.low = best_quantile(numbers, length, 0.25, direction);
    curves.high = best_quantile(numbers, length, 0.75, direction);
  }
}

void add_frontier(const std::vector<Values>& values, Direction direction,
                  const CurveOptions& options, SearcherCurves& curves) {
  if (values.size() == 1) {
    curves.frontier = running_best(values.front(), direction);
    return;
  }
  SeedBand band = seed_band(values, direction);
  curves.frontier.assign(band.median.begin(), band.median.end());
  if (options.bootstrap > 0) {
    add_bootstrap_band(values, direction, options.bootstrap, support::Centre::median, curves);
  } else {
    curves.low = std::move(band.low);
    curves.high = std::move(band.high);
  }
}

}  // namespace

std::vector<CurveJob> jobs_of(const StudyResult& study, Direction direction, bool hide_failures) {
  const Values values = values_of(study);
  const Values best = running_best(values, direction);
  std::vector<CurveJob> jobs;
  double cost = 0.0;
  std::int64_t place = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    cost += study.launches[i].cost_gpu_hours;
    const bool hidden = hide_failures && !values[i];
    if (!hidden) ++place;
    jobs.push_back({.launch = static_cast<std::int64_t>(i) + 1,
                    .plotted_at = hidden ? std::nullopt : std::optional(place),
                    .of = &study.launches[i],
                    .best_so_far = best[i],
                    .cost_gpu_hours = cost});
  }
  return jobs;
}

std::size_t line_end(const SearcherCurves& curves) {
  return std::max(curves.frontier.size(), curves.exact_mean.size());
}

std::size_t places_of(const SearcherCurves& curves, Direction direction, bool hide_failures) {
  std::size_t places = line_end(curves);
  for (const CurveJob& job : jobs_of(*curves.studies.front(), direction, hide_failures)) {
    if (job.plotted_at) places = std::max(places, static_cast<std::size_t>(*job.plotted_at));
  }
  return places;
}

bool is_random(const std::string& searcher) {
  return searcher == "random" || searcher.starts_with("random:");
}

SearcherCurves curves_of(std::vector<const StudyResult*> studies, Direction direction,
                         const CurveOptions& options) {
  SIM_ASSERT(!studies.empty(), studies.size());
  SearcherCurves curves;
  curves.searcher = studies.front()->searcher;
  curves.series = studies.front()->series;
  std::vector<Values> values;
  values.reserve(studies.size());
  for (const StudyResult* const study : studies) {
    values.push_back(shown_values(*study, options.hide_failures));
  }
  if (is_random(curves.searcher)) {
    add_random(values, direction, options, curves);
  } else {
    add_frontier(values, direction, options, curves);
  }
  curves.studies = std::move(studies);
  return curves;
}

std::vector<std::vector<const StudyResult*>> grouped_studies(const StudySet& set) {
  std::vector<std::vector<const StudyResult*>> groups;
  for (const StudyResult& study : set.studies) {
    if (groups.empty() || groups.back().front()->scenario != study.scenario ||
        groups.back().front()->instance != study.instance) {
      groups.emplace_back();
    }
    groups.back().push_back(&study);
  }
  return groups;
}

StudyGroup group_of(const std::vector<const StudyResult*>& studies, Direction direction,
                    const CurveOptions& options) {
  SIM_ASSERT(!studies.empty(), studies.size());
  StudyGroup group{.scenario = studies.front()->scenario,
                   .instance = studies.front()->instance,
                   .searchers = {}};
  for (std::size_t begin = 0, end = 0; begin < studies.size(); begin = end) {
    while (end < studies.size() && studies[end]->series == studies[begin]->series) {
      ++end;
    }
    group.searchers.push_back(curves_of({studies.begin() + static_cast<std::ptrdiff_t>(begin),
                                         studies.begin() + static_cast<std::ptrdiff_t>(end)},
                                        direction, options));
  }
  std::stable_partition(group.searchers.begin(), group.searchers.end(),
                        [](const SearcherCurves& curves) { return is_random(curves.searcher); });
  return group;
}

}  // namespace cubicbench::results
