#include "search/searchers/mutation.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace cubicbench::search {
namespace {

std::uint64_t values_of(const scenarios::SearchSpace& space, std::size_t parameter) {
  return space.parameters()[parameter].values.size();
}

bool can_change(const scenarios::SearchSpace& space, std::span<const std::int64_t> configuration,
                std::size_t parameter) {
  return configuration[parameter] != scenarios::inactive && values_of(space, parameter) > 1;
}

std::optional<std::size_t> draw_parameter(const scenarios::SearchSpace& space,
                                          std::span<const std::int64_t> configuration,
                                          RandomStream& random) {
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < space.size(); ++i) {
    if (can_change(space, configuration, i)) candidates.push_back(i);
  }
  if (candidates.empty()) return std::nullopt;
  return candidates[random.position(candidates.size())];
}

}  // namespace

bool mutate(const scenarios::SearchSpace& space, std::span<std::int64_t> configuration,
            RandomStream& random) {
  const std::optional<std::size_t> changed = draw_parameter(space, configuration, random);
  if (!changed) return false;
  const auto drawn = static_cast<std::int64_t>(random.below(values_of(space, *changed) - 1));
  configuration[*changed] = drawn < configuration[*changed] ? drawn : drawn + 1;
  // Conditions read earlier parameters alone, so one pass settles who is active.
  for (std::size_t i = *changed + 1; i < space.size(); ++i) {
    if (!space.active(configuration, i)) {
      configuration[i] = scenarios::inactive;
    } else if (configuration[i] == scenarios::inactive) {
      configuration[i] = static_cast<std::int64_t>(random.below(values_of(space, i)));
    }
  }
  return space.satisfies(configuration);
}

std::optional<scenarios::Configuration> fresh_mutation(const scenarios::SearchSpace& space,
                                                       const scenarios::Configuration& from,
                                                       std::int64_t changes, Unproposed& unproposed,
                                                       RandomStream& random) {
  constexpr int tries = 100;
  scenarios::Configuration at = from;
  scenarios::Configuration next(at.size());
  std::int64_t changed = 0;
  for (int i = 0; i < tries; ++i) {
    next = at;
    if (!mutate(space, next, random)) continue;
    at = next;
    ++changed;
    if (changed >= changes && unproposed.take(at)) return at;
  }
  return std::nullopt;
}

}  // namespace cubicbench::search
