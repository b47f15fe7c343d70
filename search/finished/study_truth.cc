#include "search/finished/study_truth.h"

#include <array>
#include <cstdint>

#include "scenarios/space/search_space.h"
#include "scenarios/space/setting.h"
#include "scenarios/truth/true_values.h"
#include "sim/engine/analytical.h"
#include "support/json/canonical.h"

namespace cubicbench::search {
namespace {

using scenarios::Assignment;
using scenarios::Configuration;
using scenarios::Reason;
using scenarios::Scenario;
using scenarios::TrueValue;

using Truths = std::vector<std::optional<TrueValue>>;

Truths table_truths(const StudyResult& study) {
  Truths truths(study.launches.size());
  const std::optional<Scenario> scenario = library_scenario(study.scenario, study.scenario_sha256);
  if (!scenario || !scenario->measured) return truths;
  const scenarios::Instance instance(*scenario, static_cast<std::uint64_t>(study.instance));
  scenarios::TrueValues values(instance);
  for (std::size_t i = 0; i < truths.size(); ++i) {
    const auto configuration = configuration_of(study.config_of(study.launches[i]), *scenario);
    truths[i] = configuration ? values.at(*configuration)
                              : TrueValue{.reason = Reason::invalid, .value = 0.0};
  }
  return truths;
}

/// In the order of scenarios::Metric, but a column, which is called what it is.
constexpr std::array<const char*, scenarios::metric_names.size()> units{"step time (s)",
                                                                        "samples/s",
                                                                        "tokens/s",
                                                                        "tokens/s per GPU",
                                                                        "MFU",
                                                                        "tokens per GPU-hour",
                                                                        "tokens per joule",
                                                                        "samples per joule",
                                                                        "tokens per USD",
                                                                        "samples per USD"};

std::string unit_of(const scenarios::Objective& objective) {
  if (objective.metric == scenarios::Metric::column) return objective.column;
  return units.at(static_cast<std::size_t>(objective.metric));
}

void add_value(const Scenario& scenario, const scenarios::Configuration& configuration,
               const StudyResult& study, Baseline& baseline) {
  if (is_replay(study)) {
    baseline.note =
        "An earlier search was played again; the simulated value of the baseline is not shown.";
    return;
  }
  if (is_real(study)) {
    baseline.note = "These were real runs; the simulated value of the baseline is not shown.";
    return;
  }
  if (!study.salt_sha256.empty()) {
    baseline.note = "The value of the baseline is not shown: the instance is sealed by a salt.";
    return;
  }
  const scenarios::Instance instance(scenario, static_cast<std::uint64_t>(study.instance));
  if (truth_sha256(instance) != study.truth_sha256) {
    baseline.note =
        "The value of the baseline is not shown: the simulator has changed since these studies.";
    return;
  }
  sim::Workspace workspace;
  const scenarios::TrueValue truth = instance.true_value(configuration, workspace);
  if (truth.reason == scenarios::Reason::none) {
    baseline.value = truth.value;
  } else {
    baseline.note = "The baseline of " + scenario.name +
                    " fails: " + std::string(scenarios::name_of(truth.reason)) + ".";
  }
}

}  // namespace

std::optional<Configuration> configuration_of(const ConfigText& config, const Scenario& scenario) {
  std::vector<Assignment> assignment;
  for (const auto& [name, value] : config) {
    const scenarios::Setting* const setting = scenarios::find_setting(scenario.space, name);
    const auto code = setting == nullptr ? std::nullopt : scenarios::parse_setting(*setting, value);
    if (!code) return std::nullopt;
    assignment.push_back({.setting = setting, .value = *code});
  }
  scenarios::Placement placement = scenario.space.from_assignment(assignment);
  if (!placement.in_space()) return std::nullopt;
  return std::move(placement.configuration);
}

Truths launch_truths(const StudyResult& study) {
  if (is_table(study)) return table_truths(study);
  Truths truths;
  for (const StudyLaunch& launch : study.launches) truths.push_back(launch.truth);
  return truths;
}

Baseline baseline_of(const StudyResult& study) {
  const std::optional<Scenario> scenario = library_scenario(study.scenario, study.scenario_sha256);
  if (!scenario) {
    return {.value = {},
            .note = "The scenario " + study.scenario +
                    " that was searched is not in the library of this version, so its baseline is "
                    "unknown. In commands, replace its name by the path of its file."};
  }
  Baseline baseline;
  if (is_table(study)) return baseline;
  const scenarios::Placement placement = scenario->space.from_plan(scenario->baseline);
  if (!placement.in_space()) {
    baseline.note = "The baseline of " + scenario->name + " lies outside its space.";
    return baseline;
  }
  for (const auto& [setting, code] : scenario->space.to_assignment(placement.configuration)) {
    baseline.settings.emplace_back(setting->name, scenarios::format_setting(*setting, code));
  }
  add_value(*scenario, placement.configuration, study, baseline);
  return baseline;
}

std::string measure_of(const scenarios::Objective& objective) {
  if (objective.metric == scenarios::Metric::column) return objective.column;
  const double percentile = objective.percentile;
  return (percentile == 50.0 ? "median " : "P" + support::shortest(percentile) + " ") +
         unit_of(objective);
}

std::string measure_of(const StudyResult& study) {
  if (!is_table(study)) return measure_of(study.objective);
  return unit_of(study.objective);  // a run has one value
}

}  // namespace cubicbench::search
