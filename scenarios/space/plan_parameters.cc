#include "scenarios/space/plan_parameters.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace cubicbench::scenarios {

std::vector<bool> active_parameters(const SearchSpace& space, const sim::Plan& plan) {
  std::vector<bool> active;
  for (const Parameter& parameter : space.parameters()) {
    active.push_back(std::ranges::all_of(parameter.when, [&](const Condition& condition) {
      const auto earlier = static_cast<std::size_t>(condition.parameter);
      const std::int64_t value = space.parameters()[earlier].setting->read(plan);
      return active[earlier] &&
             std::ranges::find(condition.values, value) != condition.values.end();
    }));
  }
  return active;
}

}  // namespace cubicbench::scenarios
