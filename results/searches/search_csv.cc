#include "results/searches/search_csv.h"

#include "results/document/csv.h"
#include "results/searches/search_rounds.h"

namespace cubicbench::results {
namespace {

void add_jobs(const StudyResult& study, bool hide_failures, Table& table) {
  for (const CurveJob& job : jobs_of(study, hide_failures)) {
    add_row(table, {{"series", "job"},
                    {"scenario", study.scenario},
                    {"instance", study.instance},
                    {"searcher", study.series},
                    {"seed", study.seed},
                    {"launch", job.launch},
                    {"trial", job.of->trial},
                    {"round", job.of->round},
                    {"state", name_of(job.of->state)},
                    {"reason", name_of(job.of->reason)},
                    {"value", job.of->value},
                    {"true_value", job.of->true_value()},
                    {"best_so_far", job.best_so_far},
                    {"cumulative_cost_gpu_hours", job.cost_gpu_hours},
                    {"plotted_at", job.plotted_at}});
  }
}

/// A row per place on the x axis, from 1. `rounds` has a round per place, or is empty.
template <typename Number>
void add_curve(const char* series, const StudyResult& study, const std::vector<Number>& values,
               const std::vector<std::int64_t>& rounds, Table& table) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Cell value = values[i];
    if (value == Cell()) continue;
    add_row(table, {{"series", series},
                    {"scenario", study.scenario},
                    {"instance", study.instance},
                    {"searcher", study.series},
                    {"launch", i + 1},
                    {"round", rounds.empty() ? Cell() : rounds[i]},
                    {"best_so_far", value},
                    {"plotted_at", i + 1}});
  }
}

}  // namespace

std::string search_csv(const SearchedProblem& problem) {
  Table table{.columns =
                  data_columns({"series", "scenario", "instance", "searcher", "seed", "launch",
                                "trial", "round", "state", "reason", "value", "true_value",
                                "best_so_far", "cumulative_cost_gpu_hours", "plotted_at"})};
  if (problem.baseline.value) {
    add_row(table, {{"series", "baseline"},
                    {"scenario", problem.study->scenario},
                    {"instance", problem.study->instance},
                    {"true_value", problem.baseline.value}});
  }
  const bool hide_failures = problem.options.hide_failures;
  for (const SearchedSeries& series : problem.series) {
    const SearcherCurves& curves = series.curves;
    const StudyResult& first = *curves.studies.front();
    for (const StudyResult* const study : curves.studies) add_jobs(*study, hide_failures, table);
    add_curve("frontier", first, curves.frontier, rounds_of(curves, hide_failures), table);
    add_curve("permutation_mean", first, curves.permutation_mean, {}, table);
    add_curve("exact_mean", first, curves.exact_mean, {}, table);
    add_curve("low", first, curves.low, {}, table);
    add_curve("high", first, curves.high, {}, table);
  }
  return csv_of(table);
}

}  // namespace cubicbench::results
