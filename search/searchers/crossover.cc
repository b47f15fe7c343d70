#include "search/searchers/crossover.h"

#include <cstddef>
#include <cstdint>

namespace cubicbench::search {

using scenarios::Configuration;
using scenarios::inactive;

std::optional<Configuration> crossed(const scenarios::SearchSpace& space,
                                     const Configuration& mother, const Configuration& father,
                                     RandomStream& random) {
  Configuration child(space.size());
  // Conditions read earlier parameters alone, so one pass settles who is active.
  for (std::size_t i = 0; i < child.size(); ++i) {
    const bool hers = random.below(2) == 0;
    if (!space.active(child, i)) {
      child[i] = inactive;
      continue;
    }
    child[i] = hers ? mother[i] : father[i];
    if (child[i] == inactive) child[i] = hers ? father[i] : mother[i];
    if (child[i] == inactive) {
      child[i] = static_cast<std::int64_t>(random.below(space.parameters()[i].values.size()));
    }
  }
  return space.satisfies(child) ? std::optional(std::move(child)) : std::nullopt;
}

}  // namespace cubicbench::search
