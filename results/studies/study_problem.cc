#include "results/studies/study_problem.h"

#include <cmath>
#include <cstdint>

#include "datasets/problem/table_scenario.h"
#include "scenarios/catalog.h"
#include "scenarios/space/search_space.h"
#include "scenarios/space/setting.h"
#include "scenarios/truth/instance.h"
#include "sim/engine/analytical.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

using scenarios::Instance;
using scenarios::Metric;
using scenarios::Scenario;

std::string unit_of(Metric metric) {
  switch (metric) {
    case Metric::step_time_s:
      return "step time (s)";
    case Metric::samples_per_s:
      return "samples/s";
    case Metric::tokens_per_s:
      return "tokens/s";
    case Metric::tokens_per_s_per_gpu:
      return "tokens/s per GPU";
    case Metric::mfu:
      return "MFU";
  }
  return "";
}

/// "st", "nd", "rd", "th".
std::string ordinal_suffix(double number) {
  if (number != std::floor(number)) return "th";
  const auto whole = static_cast<std::int64_t>(number);
  if (whole / 10 % 10 == 1) return "th";
  switch (whole % 10) {
    case 1:
      return "st";
    case 2:
      return "nd";
    case 3:
      return "rd";
    default:
      return "th";
  }
}

void add_value(const Scenario& scenario, const scenarios::Configuration& baseline,
               const StudyResult& study, StudyProblem& problem) {
  if (is_real(study)) {
    problem.note = "These were real runs: what the simulator says of the baseline is left out.";
    return;
  }
  if (!study.salt_sha256.empty()) {
    problem.note =
        "The instance is sealed and needs its salt: the value of the baseline is left out.";
    return;
  }
  const Instance instance(scenario, static_cast<std::uint64_t>(study.instance));
  if (truth_sha256(instance) != study.truth_sha256) {
    problem.note =
        "The simulator of this version answers otherwise than the one of these studies: "
        "the value of the baseline is left out.";
    return;
  }
  sim::Workspace workspace;
  const scenarios::TrueValue truth = instance.true_value(baseline, workspace);
  if (truth.reason == scenarios::Reason::none) {
    problem.baseline_value = truth.value;
  } else {
    problem.note = "The baseline of " + scenario.name +
                   " fails: " + std::string(scenarios::name_of(truth.reason)) + ".";
  }
}

void add_baseline(const Scenario& scenario, const StudyResult& study, StudyProblem& problem) {
  const scenarios::Placement placement = scenario.space.from_plan(scenario.baseline);
  if (!placement.in_space()) {
    problem.note = "The baseline of " + scenario.name + " lies outside its space.";
    return;
  }
  for (const auto& [setting, code] : scenario.space.to_assignment(placement.configuration)) {
    problem.baseline.emplace_back(setting->name, scenarios::format_setting(*setting, code));
  }
  add_value(scenario, placement.configuration, study, problem);
}

}  // namespace

StudyProblem problem_of(const StudyResult& study) {
  constexpr const char* left_out =
      ": its baseline is left out, and in commands the path of its file belongs in the place of "
      "its name.";
  StudyProblem problem;
  problem.objective = study.objective;
  problem.label = label_of(study.objective);
  problem.real = is_real(study);
  problem.table = is_table(study);
  // A run of a table has one value, whatever a percentile is of.
  if (problem.table) problem.label = unit_of(study.objective.metric);
  if (!scenarios::text(scenarios::Kind::scenario, study.scenario)) {
    problem.note =
        "Scenario " + study.scenario + " is not in the library of this version" + left_out;
    return problem;
  }
  const Scenario scenario = datasets::read_scenario(study.scenario);
  if (scenario.sha256 != study.scenario_sha256) {
    problem.note = "Scenario " + study.scenario +
                   " of this version is not the one that was searched" + left_out;
    return problem;
  }
  if (!problem.table) add_baseline(scenario, study, problem);
  return problem;
}

std::string label_of(const scenarios::Objective& objective) {
  return support::shortest(objective.percentile) + ordinal_suffix(objective.percentile) +
         "-percentile " + unit_of(objective.metric);
}

}  // namespace cubicbench::results
