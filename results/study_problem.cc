#include "results/study_problem.h"

#include <cmath>
#include <cstdint>

#include "scenarios/canonical.h"
#include "scenarios/catalog.h"
#include "scenarios/instance.h"
#include "scenarios/scenario_reader.h"
#include "scenarios/search_space.h"
#include "scenarios/setting.h"
#include "sim/engine/analytical.h"

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

void add_baseline(const Scenario& scenario, std::int64_t number, StudyProblem& problem) {
  const scenarios::Placement placement = scenario.space.from_plan(scenario.baseline);
  if (!placement.in_space()) {
    problem.note = "The baseline of " + scenario.name + " lies outside its space.";
    return;
  }
  for (const auto& [setting, code] : scenario.space.to_assignment(placement.configuration)) {
    problem.baseline.emplace_back(setting->name, scenarios::format_setting(*setting, code));
  }
  const Instance instance(scenario, static_cast<std::uint64_t>(number));
  sim::Workspace workspace;
  const scenarios::TrueValue truth = instance.true_value(placement.configuration, workspace);
  if (truth.reason == scenarios::Reason::none) {
    problem.baseline_value = truth.value;
  } else {
    problem.note = "The baseline of " + scenario.name +
                   " fails: " + std::string(scenarios::name_of(truth.reason)) + ".";
  }
}

}  // namespace

StudyProblem problem_of(const StudyResult& study) {
  StudyProblem problem;
  if (!scenarios::text(scenarios::Kind::scenario, study.scenario)) {
    problem.note = "Scenario " + study.scenario +
                   " is not in the library of this version: its baseline is left out, and more is "
                   "taken to be better.";
    return problem;
  }
  const Scenario scenario = scenarios::read_scenario(study.scenario);
  problem.objective = scenario.objective;
  problem.label = label_of(scenario.objective);
  if (scenario.sha256 != study.scenario_sha256) {
    problem.note = "Scenario " + study.scenario +
                   " of this version is not the one that was searched: its baseline is left out.";
    return problem;
  }
  add_baseline(scenario, study.instance, problem);
  return problem;
}

std::string label_of(const scenarios::Objective& objective) {
  return scenarios::shortest(objective.percentile) + ordinal_suffix(objective.percentile) +
         "-percentile " + unit_of(objective.metric);
}

}  // namespace cubicbench::results
