#include "scenarios/space/changing_plan.h"

#include <cstddef>

#include "sim/base/check.h"

namespace cubicbench::scenarios {

ChangingPlan::ChangingPlan(const SearchSpace& space)
    : space_(space), configuration_(space.size(), inactive), plan_(space.base()) {}

const sim::Plan& ChangingPlan::of(std::span<const std::int64_t> configuration) {
  SIM_ASSERT(configuration.size() == space_.size(), configuration.size(), space_.size());
  for (std::size_t i = 0; i < configuration.size(); ++i) {
    const std::int64_t index = configuration[i];
    if (index == configuration_[i]) continue;
    const Parameter& parameter = space_.parameters()[i];
    const Setting& setting = *parameter.setting;
    setting.apply(plan_, index == inactive ? setting.read(space_.base())
                                           : parameter.values[static_cast<std::size_t>(index)]);
    configuration_[i] = index;
  }
  return plan_;
}

}  // namespace cubicbench::scenarios
