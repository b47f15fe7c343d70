#include "results/regret/small_space.h"

#include <algorithm>
#include <utility>

#include "datasets/exhaustive/enumerate.h"
#include "datasets/exhaustive/valued_range.h"
#include "sim/base/check.h"

namespace cubicbench::results {

datasets::Enumeration value_small_space(const scenarios::Instance& instance,
                                        const std::string& truth_sha256, std::int64_t k_max) {
  const scenarios::Scenario& scenario = instance.scenario();
  SIM_ASSERT(scenario.space.count() <= small_space_max, scenario.space.count());
  SIM_ASSERT(k_max >= 1, k_max);
  // One thread: reports are made where studies may run beside them, and it takes milliseconds.
  datasets::ValuedRange range =
      datasets::valued_range(instance, {.first = 0, .count = scenario.space.count()},
                             {.threads = 1,
                              .beside = "cubicbench",  // never used: too few to spill
                              .progress = {}});
  datasets::ValuedSpace values{
      .failures = range.failures,
      .best = range.best,
      .best_configs = datasets::named_settings(scenario.space, range.best.numbers),
      .values = std::move(range.values)};
  return datasets::enumerated(datasets::enumeration_head(instance, truth_sha256, scenario.name),
                              std::move(values), std::min(k_max, datasets::k_limit), 1);
}

}  // namespace cubicbench::results
