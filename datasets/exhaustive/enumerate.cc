#include "datasets/exhaustive/enumerate.h"

#include <algorithm>
#include <utility>

#include "datasets/exhaustive/distribution.h"
#include "scenarios/problem/granted_baseline.h"
#include "scenarios/space/search_space.h"
#include "scenarios/truth/true_values.h"
#include "sim/base/check.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Instance;
using scenarios::Reason;

/// A table of runs knows nothing of what is outside its space.
std::optional<double> baseline_value(const Instance& instance) {
  const scenarios::Scenario& scenario = instance.scenario();
  scenarios::TrueValue value{.reason = Reason::invalid, .value = 0.0};
  if (scenario.measured) {
    if (const auto granted = granted_baseline(scenario)) {
      value = scenarios::TrueValues(instance).at(*granted);
    }
    return value.reason == Reason::none ? std::optional(value.value) : std::nullopt;
  }
  const scenarios::Placement placement = scenario.space.from_plan(scenario.baseline);
  if (placement.in_space()) {
    value = scenarios::TrueValues(instance).at(placement.configuration);
  } else {
    sim::Workspace workspace;
    value = instance.true_value(scenario.baseline, workspace);
  }
  return value.reason == Reason::none ? std::optional(value.value) : std::nullopt;
}

/// The best value is known exactly.
void set_best_quantile(Enumeration& of) {
  const bool maximize = of.objective.direction == scenarios::Direction::maximize;
  (maximize ? of.quantiles.back() : of.quantiles.front()) = of.optimum->value;
}

}  // namespace

Enumeration enumeration_head(const Instance& instance, const std::string& truth_sha256,
                             const std::string& where) {
  const scenarios::Scenario& scenario = instance.scenario();
  Enumeration head;
  head.scenario = scenario.name;
  head.scenario_sha256 = scenario.sha256;
  head.truth_sha256 = truth_sha256;
  head.instance = static_cast<std::int64_t>(instance.number());
  head.salt_sha256 = instance.salt_sha256();
  head.configurations = scenario.space.count();
  head.rejected_by = scenarios::rejected_by(scenario.space, where);
  head.baseline.stated = !scenario.measured || granted_baseline(scenario);
  if (head.baseline.stated) head.baseline.value = baseline_value(instance);
  head.objective = scenario.objective;
  return head;
}

Enumeration with_random_search(Enumeration head, const Instance& instance, std::int64_t launches,
                               std::size_t studies, int threads,
                               const std::function<void()>& look) {
  const scenarios::Scenario& scenario = instance.scenario();
  if (scenario.space.count() == 0) return head;
  head.random_search =
      random_search_curves(instance, granted_baseline(scenario), static_cast<std::size_t>(launches),
                           studies, threads, look);
  return head;
}

std::vector<scenarios::ConfigText> named_settings(const scenarios::SearchSpace& space,
                                                  const std::vector<std::uint64_t>& numbers) {
  std::vector<scenarios::ConfigText> list;
  scenarios::Configuration configuration(space.size());
  for (const std::uint64_t number : numbers) {
    space.configuration_at(number, configuration);
    list.push_back(config_text(space, configuration));
  }
  return list;
}

Enumeration enumerated(Enumeration head, ValuedSpace values, std::int64_t k_max, int threads,
                       const std::function<void()>& look) {
  head.valued = head.configurations;
  head.failures = failures_of(values.failures);
  if (values.best.count > 0) {
    head.optimum = Optimum{.value = values.best.value,
                           .configs = std::move(values.best_configs),
                           .count = values.best.count,
                           .certified = true,
                           .bound = values.best.value};
  }
  DistributionSummary summary = summarised(MergedRuns(std::move(values.values)),
                                           {.direction = head.objective.direction,
                                            .configurations = head.configurations,
                                            .failed = failed_in(values.failures),
                                            .baseline = head.baseline.value,
                                            .k_max = k_max},
                                           threads, look);
  if (head.baseline.stated) {
    head.baseline.share_better =
        static_cast<double>(summary.better) / static_cast<double>(head.configurations);
  }
  head.quantiles = std::move(summary.quantiles);
  if (head.sketched && head.optimum) set_best_quantile(head);
  head.best_of_k = std::move(summary.best_of_k);
  return head;
}

Enumeration enumerated_by_bounds(Enumeration head, const scenarios::SearchSpace& space,
                                 const BoundedOptimum& found) {
  head.exhaustive = false;
  head.valued = found.valued;
  if (found.complete && found.best.count == 0) return head;
  head.optimum = Optimum{.value = found.best.value,
                         .configs = named_settings(space, found.best.numbers),
                         .count = found.best.count,
                         .certified = found.complete,
                         .bound = found.bound};
  return head;
}

Enumeration value_small_space(const Instance& instance, const std::string& truth_sha256,
                              std::int64_t k_max) {
  const scenarios::Scenario& scenario = instance.scenario();
  SIM_ASSERT(scenario.space.count() <= small_space_max, scenario.space.count());
  SIM_ASSERT(k_max >= 1, k_max);
  // One thread: reports are made where studies may run beside them, and it takes milliseconds.
  ValuedRange range =
      valued_range(instance, {.first = 0, .count = scenario.space.count()},
                   {.threads = 1, .beside = "cubicbench"});  // never used: too few to spill
  ValuedSpace values{.failures = range.failures,
                     .best = range.best,
                     .best_configs = named_settings(scenario.space, range.best.numbers),
                     .values = std::move(range.values)};
  k_max = std::min(k_max, k_limit);
  Enumeration head = with_random_search(enumeration_head(instance, truth_sha256, scenario.name),
                                        instance, k_max, random_studies_quick, 1);
  return enumerated(std::move(head), std::move(values), k_max, 1);
}

}  // namespace cubicbench::datasets
