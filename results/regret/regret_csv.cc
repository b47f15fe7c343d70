#include "results/regret/regret_csv.h"

#include "results/document/csv.h"
#include "sim/base/check.h"

namespace cubicbench::results {
namespace {

/// A row per launch number, from 1. `values` may be empty.
void add_curve(const SearchedProblem& problem, const char* series, const Cell& searcher,
               const std::vector<double>& regrets, const std::vector<double>& values,
               Table& table) {
  for (std::size_t k = 0; k < regrets.size(); ++k) {
    add_row(table, {{"series", series},
                    {"scenario", problem.study->scenario},
                    {"instance", problem.study->instance},
                    {"searcher", searcher},
                    {"launches", k + 1},
                    {"value", values.empty() ? Cell() : values[k]},
                    {"regret", regrets[k]}});
  }
}

void add_study(const StudyEnd& end, Table& table) {
  for (std::size_t k = 0; end.curve && k < end.curve->recommended.size(); ++k) {
    add_row(table, {{"series", "study"},
                    {"scenario", end.study->scenario},
                    {"instance", end.study->instance},
                    {"searcher", end.study->series},
                    {"seed", end.study->seed},
                    {"launches", k + 1},
                    {"regret", end.curve->recommended[k]},
                    {"observed_regret", end.curve->observed[k]}});
  }
}

void add_scale(const SearchedProblem& problem, const char* series, double value, int regret,
               Table& table) {
  add_row(table, {{"series", series},
                  {"scenario", problem.study->scenario},
                  {"instance", problem.study->instance},
                  {"value", value},
                  {"regret", regret}});
}

}  // namespace

std::string regret_csv(const SearchedProblem& problem) {
  SIM_ASSERT(problem.yardstick.scale.has_value(), problem.study->scenario);
  Table table{.columns = data_columns({"series", "scenario", "instance", "searcher", "seed",
                                       "launches", "value", "regret", "observed_regret"})};
  add_scale(problem, "optimum", problem.yardstick.scale->best, 0, table);
  add_scale(problem, "median", problem.yardstick.scale->reference, 1, table);
  const auto add = [&](const char* series, const Cell& searcher, const std::vector<double>& regrets,
                       const std::vector<double>& values = {}) {
    add_curve(problem, series, searcher, regrets, values, table);
  };
  const ExactRandom& random = problem.yardstick.random;
  add("random_mean", {}, random.mean, problem.random_best.mean);
  // A small regret is a good value: quantiles of values change places.
  add("random_p05", {}, random.p05, problem.random_best.p95);
  add("random_p25", {}, random.p25, problem.random_best.p75);
  add("random_p75", {}, random.p75, problem.random_best.p25);
  add("random_p95", {}, random.p95, problem.random_best.p05);
  for (const SearchedSeries& series : problem.series) {
    for (const StudyEnd& end : series.end.ends) add_study(end, table);
    add("mean", series.end.name, series.mean);
    add("low", series.end.name, series.low);
    add("high", series.end.name, series.high);
  }
  return csv_of(table);
}

}  // namespace cubicbench::results
