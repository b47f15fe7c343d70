#include "scenarios/space/completions.h"

#include <algorithm>

namespace cubicbench::scenarios {

Completions::Activity Completions::activity_of(std::size_t parameter,
                                               const Configuration& configuration,
                                               std::size_t decided) const {
  bool known = true;
  for (const Condition& condition : space_.parameters()[parameter].when) {
    const auto parent = static_cast<std::size_t>(condition.parameter);
    if (parent >= decided && !own_[parent] && !told_[parent]) {
      known = false;
      continue;
    }
    if (configuration[parent] == inactive) return Activity::no;
    const std::int64_t value =
        space_.parameters()[parent].values[static_cast<std::size_t>(configuration[parent])];
    if (std::ranges::find(condition.values, value) == condition.values.end()) return Activity::no;
  }
  return known ? Activity::yes : Activity::unknown;
}

}  // namespace cubicbench::scenarios
