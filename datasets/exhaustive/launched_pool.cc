#include "datasets/exhaustive/launched_pool.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "scenarios/problem/score.h"
#include "scenarios/truth/true_values.h"
#include "support/parallel.h"
#include "support/permutation.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Configuration;
using scenarios::Instance;
using scenarios::Reason;
using scenarios::TrialOutcome;

/// Part of every enumeration that was written: never changes.
constexpr std::uint64_t pool_key = 0x706f6f6c;
constexpr std::size_t block = 256;  // configurations that share a workspace

TrialOutcome launched(const Instance& instance, const Configuration& configuration,
                      std::int64_t attempt, sim::Workspace& workspace) {
  const scenarios::Scenario& scenario = instance.scenario();
  if (!scenario.measured) return instance.launch(configuration, attempt, workspace);
  return scenario.measured->run(scenario.space.number_of(configuration), attempt);
}

scenarios::TrueValue truth_of(const Instance& instance, const Configuration& configuration,
                              sim::Workspace& workspace) {
  if (instance.scenario().measured) return scenarios::TrueValues(instance).at(configuration);
  return instance.true_value(configuration, workspace);
}

}  // namespace

LaunchedTrial launched_trial(const Instance& instance, const Configuration& configuration,
                             sim::Workspace& workspace) {
  const scenarios::Scenario& scenario = instance.scenario();
  LaunchedTrial trial;
  TrialOutcome outcome = launched(instance, configuration, 0, workspace);
  while (outcome.reason == Reason::infra && trial.launches <= scenario.truth.max_retries) {
    outcome = launched(instance, configuration, trial.launches++, workspace);
  }
  trial.score = outcome.value ? scenarios::score_of(scenario.objective, *outcome.value)
                              : -std::numeric_limits<double>::infinity();
  trial.truth = truth_of(instance, configuration, workspace);
  return trial;
}

std::vector<LaunchedTrial> launched_pool(const Instance& instance, std::uint64_t size, int threads,
                                         const std::function<void()>& look) {
  const scenarios::SearchSpace& space = instance.scenario().space;
  const bool whole = size >= space.count();
  const support::Permutation drawn(space.count(), pool_key);
  std::vector<LaunchedTrial> pool(static_cast<std::size_t>(whole ? space.count() : size));
  support::parallel_for((pool.size() + block - 1) / block, threads, [&](std::size_t b) {
    if (look) look();
    sim::Workspace workspace;
    Configuration configuration(space.size());
    const std::size_t end = std::min(pool.size(), (b + 1) * block);
    for (std::size_t i = b * block; i < end; ++i) {
      space.configuration_at(whole ? i : drawn(i), configuration);
      pool[i] = launched_trial(instance, configuration, workspace);
    }
  });
  return pool;
}

}  // namespace cubicbench::datasets
