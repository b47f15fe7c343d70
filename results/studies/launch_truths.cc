#include "results/studies/launch_truths.h"

#include <cstdint>

#include "datasets/problem/table_scenario.h"
#include "scenarios/catalog.h"
#include "scenarios/space/setting.h"
#include "scenarios/truth/true_values.h"

namespace cubicbench::results {
namespace {

using scenarios::Assignment;
using scenarios::Reason;
using scenarios::Scenario;
using scenarios::TrueValue;
using Truths = std::vector<std::optional<TrueValue>>;

/// The configuration of a launch; nothing when the space has none such.
std::optional<scenarios::Configuration> configuration_of(const StudyLaunch& launch,
                                                         const Scenario& scenario) {
  std::vector<Assignment> assignment;
  for (const auto& [name, value] : launch.config) {
    const scenarios::Setting* const setting = scenarios::find_setting(name);
    if (setting == nullptr) return std::nullopt;
    const auto code = scenarios::parse_setting(*setting, value);
    if (!code) return std::nullopt;
    assignment.push_back({.setting = setting, .value = *code});
  }
  scenarios::Placement placement = scenario.space.from_assignment(assignment);
  if (!placement.in_space()) return std::nullopt;
  return std::move(placement.configuration);
}

Truths table_truths(const StudyResult& study) {
  Truths truths(study.launches.size());
  const std::optional<Scenario> scenario = library_scenario(study);
  if (!scenario || !scenario->measured) return truths;
  const scenarios::Instance instance(*scenario, static_cast<std::uint64_t>(study.instance));
  scenarios::TrueValues values(instance);
  for (std::size_t i = 0; i < truths.size(); ++i) {
    const auto configuration = configuration_of(study.launches[i], *scenario);
    truths[i] = configuration ? values.at(*configuration)
                              : TrueValue{.reason = Reason::invalid, .value = 0.0};
  }
  return truths;
}

}  // namespace

std::optional<Scenario> library_scenario(const StudyResult& study) {
  if (!scenarios::text(scenarios::Kind::scenario, study.scenario)) return std::nullopt;
  Scenario scenario = datasets::read_scenario(study.scenario);
  if (scenario.sha256 != study.scenario_sha256) return std::nullopt;
  return scenario;
}

Truths launch_truths(const StudyResult& study) {
  if (is_table(study)) return table_truths(study);
  Truths truths;
  for (const StudyLaunch& launch : study.launches) truths.push_back(launch.truth);
  return truths;
}

}  // namespace cubicbench::results
