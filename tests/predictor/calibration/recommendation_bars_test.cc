// How near the simulator comes to MLPerf's results of DLRM-DCNv2, and to those that it was not
// fitted to.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "datasets/fits/calibration_plan.h"
#include "datasets/mapping/library.h"
#include "predictor/calibration/calibration_runs.h"
#include "predictor/calibration/robust_fit.h"
#include "scenarios/constants/constants.h"
#include "scenarios/evaluation/evaluate.h"
#include "sim/base/numeric.h"
#include "support/statistics/quantile.h"

namespace cubicbench::predictor {
namespace {

/// The constants that are fitted to these results, by the stack whose they are.
struct Unknown {
  const char* stack;
  const char* name;
  double start;  ///< what nothing is known of: the files' defaults
};

const std::vector<Unknown>& unknowns() {
  static const std::vector<Unknown> all{{"hugectr-2023", "sparse_step_ms", 0.0},
                                        {"hugectr-2023", "exchange_factor", 1.0},
                                        {"hugectr-2023-04", "sparse_step_ms", 0.0},
                                        {"hugectr-2023-04", "exchange_factor", 1.0}};
  return all;
}

using Rows = std::vector<CalibrationRun>;

Rows results() {
  Rows rows;
  for (const char* plan : {"hugectr-2023", "hugectr-2023-04"}) {
    const CalibrationRuns of_plan = calibration_runs(*datasets::find_calibration_plan(plan));
    rows.insert(rows.end(), of_plan.runs.begin(), of_plan.runs.end());
  }
  return rows;
}

double error_of(const CalibrationRun& row, std::span<const double> values) {
  scenarios::Scenario scenario = row.scenario;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Unknown& unknown = unknowns()[i];
    if (scenario.stack_name != unknown.stack) continue;
    set_value(*scenarios::find_stack_constant(unknown.name), values[i], scenario.stack);
  }
  sim::Workspace workspace;
  const sim::StepReport report =
      scenarios::evaluate_roomy(scenario, scenario.baseline, scenario.cluster.state, workspace);
  return report.step / row.step - 1.0;
}

std::vector<double> fitted_to(const Rows& rows) {
  FitProblem problem;
  problem.rows = rows.size();
  for (const Unknown& unknown : unknowns()) {
    const scenarios::StackConstant& constant = *scenarios::find_stack_constant(unknown.name);
    problem.start.push_back(unknown.start);
    problem.lower.push_back(constant.min);
    problem.upper.push_back(constant.max);
  }
  for (std::size_t i = 0; i < rows.size(); ++i) problem.clusters.push_back(i);
  problem.residuals = [&](std::span<const double> values, std::span<double> into) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      into[i] = sim::log(1.0 + error_of(rows[i], values));
  };
  return robust_fit(problem).values;
}

/// Sizes of the errors of rows that `out` takes out, by constants fitted to the others.
std::vector<double> errors_left_out(const Rows& rows,
                                    const std::function<bool(const CalibrationRun&)>& out) {
  Rows others;
  for (const CalibrationRun& row : rows) {
    if (!out(row)) others.push_back(row);
  }
  const std::vector<double> values = fitted_to(others);
  std::vector<double> sizes;
  for (const CalibrationRun& row : rows) {
    if (out(row)) sizes.push_back(std::abs(error_of(row, values)));
  }
  return sizes;
}

TEST(RecommendationBars, ResultsAreTwelveAndConstantsFew) {
  EXPECT_EQ(results().size(), 12U);
  std::size_t constants = 0;
  for (const char* plan : {"hugectr-2023", "hugectr-2023-04"}) {
    constants += datasets::find_calibration_plan(plan)->fit.size();
  }
  EXPECT_LE(constants, 7U);
}

TEST(RecommendationBars, StepsAreNearTheMeasured) {
  std::vector<double> sizes;
  for (const CalibrationRun& row : results()) sizes.push_back(std::abs(error_of(row, {})));
  EXPECT_LE(support::median(sizes), 0.03);
  EXPECT_LE(*std::ranges::max_element(sizes), 0.08);
}

TEST(RecommendationBars, BothEndsFromEightToSixtyFourAreNear) {
  for (const CalibrationRun& row : results()) {
    if (row.scenario.device != "h100-sxm-80gb") continue;
    EXPECT_LE(std::abs(error_of(row, {})), 0.05) << row.scenario.name;
  }
}

TEST(RecommendationBars, ResultsThatAreLeftOutAreNear) {
  const Rows rows = results();
  std::vector<double> sizes;
  for (const CalibrationRun& left_out : rows) {
    const auto is_left_out = [&](const CalibrationRun& row) {
      return row.scenario.name == left_out.scenario.name;
    };
    sizes.push_back(errors_left_out(rows, is_left_out).front());
  }
  EXPECT_LE(support::median(sizes), 0.05);
  EXPECT_LE(*std::ranges::max_element(sizes), 0.15);
}

TEST(RecommendationBars, GenerationsThatAreLeftOutAreNear) {
  const Rows rows = results();
  for (const char* generation : {"Ampere", "Hopper", "Blackwell"}) {
    SCOPED_TRACE(generation);
    const std::vector<double> sizes = errors_left_out(rows, [&](const CalibrationRun& row) {
      return datasets::generation_of(row.scenario.device) == generation;
    });
    EXPECT_LE(support::median(sizes), 0.10);
  }
}

}  // namespace
}  // namespace cubicbench::predictor
