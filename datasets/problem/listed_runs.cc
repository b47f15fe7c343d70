#include "datasets/problem/listed_runs.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "scenarios/space/listed_space.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Configuration;
using scenarios::ParameterSpec;

std::vector<std::int64_t> values_of(const std::vector<Run>& runs, std::size_t parameter) {
  std::vector<std::int64_t> values;
  for (const Run& run : runs) values.push_back(run.codes[parameter]);
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

Configuration configuration_of(const Run& run, const std::vector<ParameterSpec>& parameters) {
  Configuration configuration;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    const auto found = std::ranges::lower_bound(parameters[p].values, run.codes[p]);
    configuration.push_back(found - parameters[p].values.begin());
  }
  return configuration;
}

}  // namespace

ListedRuns listed_runs(std::vector<ParameterSpec> parameters, const std::vector<Run>& runs,
                       const sim::Plan& base, const scenarios::SpaceFacts& facts) {
  for (std::size_t p = 0; p < parameters.size(); ++p) parameters[p].values = values_of(runs, p);
  std::vector<Configuration> configurations;
  for (const Run& run : runs) configurations.push_back(configuration_of(run, parameters));
  scenarios::BuiltSpace built = scenarios::listed_space(parameters, configurations, base, facts);
  if (!built.problems.empty()) {
    return {.space = {}, .measured = nullptr, .problems = std::move(built.problems)};
  }
  scenarios::MeasuredOutcomes measured;
  measured.of_configuration.resize(built.space.count());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::uint64_t number = built.space.number_of(configurations[i]);
    measured.of_configuration[number].push_back(runs[i].outcome);
  }
  return {.space = std::move(built.space),
          .measured = std::make_shared<const scenarios::MeasuredOutcomes>(std::move(measured)),
          .problems = {}};
}

}  // namespace cubicbench::datasets
