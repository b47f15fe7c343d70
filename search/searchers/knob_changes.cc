#include "search/searchers/knob_changes.h"

#include <cstdint>
#include <iterator>

namespace cubicbench::search {

using scenarios::Configuration;
using scenarios::inactive;

std::vector<Configuration> knob_changes(const scenarios::SearchSpace& space,
                                        const Configuration& from, std::size_t parameter,
                                        const Configuration& home) {
  std::vector<Configuration> changes;
  if (from[parameter] == inactive) return changes;
  const std::int64_t values = std::ssize(space.parameters()[parameter].values);
  Configuration changed;
  for (std::int64_t value = 0; value < values; ++value) {
    if (value == from[parameter]) continue;
    changed = from;
    changed[parameter] = value;
    // Conditions read earlier parameters alone, so one pass settles who is active.
    for (std::size_t i = parameter + 1; i < space.size(); ++i) {
      if (!space.active(changed, i)) {
        changed[i] = inactive;
      } else if (changed[i] == inactive) {
        changed[i] = home[i] == inactive ? 0 : home[i];
      }
    }
    if (space.satisfies(changed)) changes.push_back(changed);
  }
  return changes;
}

}  // namespace cubicbench::search
