#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>

#include "scenarios/space/search_space.h"
#include "support/permutation.h"

namespace cubicbench::search {

/// The configurations of a space that a searcher has not proposed yet. A repeat costs a launch and
/// brings nothing but another draw of the noise, so searchers take from here.
class Unproposed {
 public:
  /// `space` must outlive this and hold a configuration.
  Unproposed(const scenarios::SearchSpace& space, std::uint64_t seed)
      : space_(space), order_(space.count(), seed) {}

  bool empty() const { return taken_.size() == space_.count(); }

  /// Takes a configuration of the space. False when it was taken before.
  bool take(std::span<const std::int64_t> configuration) {
    return taken_.insert(space_.number_of(configuration)).second;
  }

  /// Was the configuration of this number taken?
  bool taken(std::uint64_t number) const { return taken_.contains(number); }

  /// Takes a uniform one, the next that is left in the order in which `random` proposes with the
  /// same seed; nothing when none is left.
  std::optional<scenarios::Configuration> take_random() {
    while (passed_ < space_.count()) {
      const std::uint64_t number = order_(passed_);
      ++passed_;
      if (!taken_.insert(number).second) continue;
      scenarios::Configuration configuration(space_.size());
      space_.configuration_at(number, configuration);
      return configuration;
    }
    return std::nullopt;
  }

 private:
  const scenarios::SearchSpace& space_;
  support::Permutation order_;
  std::uint64_t passed_ = 0;                 ///< numbers of the order that are taken for sure
  std::unordered_set<std::uint64_t> taken_;  ///< asked for membership alone
};

}  // namespace cubicbench::search
