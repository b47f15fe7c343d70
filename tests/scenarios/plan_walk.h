#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/readers/scenario_reader.h"
#include "scenarios/space/setting.h"
#include "sim/base/philox.h"

namespace cubicbench::scenarios {

/// Scenarios of the library that train a transformer.
inline std::vector<std::string> transformers() {
  std::vector<std::string> names = model_scenarios();
  std::erase_if(names, [](const std::string& name) {
    return !std::holds_alternative<sim::Transformer>(read_scenario(name).workload);
  });
  return names;
}

/// A walk through plans: most steps change one setting, some go back to the baseline.
class PlanWalk {
 public:
  explicit PlanWalk(const Scenario& scenario) : scenario_(scenario), plan_(scenario.baseline) {
    for (const Setting& setting : settings()) {
      if (belongs(setting, kind_of(scenario.workload))) settings_.push_back(&setting);
    }
  }

  const sim::Plan& next() {
    if (below(12) == 0) plan_ = scenario_.baseline;
    const Setting& setting = *settings_[below(settings_.size())];
    // Small numbers and small powers of two: larger ones divide nothing.
    const std::uint64_t numbers = static_cast<std::uint64_t>(setting.max - setting.min) + 1;
    const std::int64_t code =
        below(2) == 0
            ? setting.min + static_cast<std::int64_t>(below(std::min<std::uint64_t>(numbers, 8)))
            : std::clamp(std::int64_t{1} << below(7), setting.min, setting.max);
    setting.apply(plan_, code);
    return plan_;
  }

 private:
  std::uint64_t below(std::uint64_t bound) {
    return sim::uniform_below(
        {.seed = 31, .purpose = sim::Purpose::test, .entity = drawn_++, .draw = 0}, bound);
  }

  const Scenario& scenario_;
  sim::Plan plan_;
  std::vector<const Setting*> settings_;
  std::uint64_t drawn_ = 0;
};

}  // namespace cubicbench::scenarios
