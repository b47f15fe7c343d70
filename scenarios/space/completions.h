#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "scenarios/space/search_space.h"

namespace cubicbench::scenarios {

/// The ways to set some parameters of a configuration of which others are set already.
///
/// They are all that the space holds, and more: constraints are not asked, and where it is not told
/// whether a parameter is active it is taken to be either. `space` must outlive it.
class Completions {
 public:
  /// `own` are to be set, where they are not decided; of the others those are told that are `told`
  /// or decided.
  Completions(const SearchSpace& space, std::vector<bool> own, std::vector<bool> told)
      : space_(space), own_(std::move(own)), told_(std::move(told)) {}

  /// Calls `visit()` with each of them written into `configuration`, whose first `decided`
  /// parameters are. Parameters that are neither decided, told nor own stay as they are. False
  /// where there are more than `most`: then it was called for so many, or for fewer.
  template <typename Visit>
  bool each(Configuration& configuration, std::size_t decided, std::size_t most,
            const Visit& visit) const {
    std::size_t left = most;
    return set(0, configuration, decided, left, visit);
  }

 private:
  enum class Activity { yes, no, unknown };

  template <typename Visit>
  bool set(std::size_t i, Configuration& configuration, std::size_t decided, std::size_t& left,
           const Visit& visit) const {
    while (i < own_.size() && (i < decided || !own_[i])) ++i;
    if (i == own_.size()) {
      if (left == 0) return false;
      --left;
      visit();
      return true;
    }
    const Activity activity = activity_of(i, configuration, decided);
    const auto with = [&](std::int64_t index) {
      configuration[i] = index;
      return set(i + 1, configuration, decided, left, visit);
    };
    bool all = true;
    if (activity != Activity::no) {
      const auto values = static_cast<std::int64_t>(space_.parameters()[i].values.size());
      for (std::int64_t index = 0; index < values && all; ++index) all = with(index);
    }
    if (activity != Activity::yes && all) all = with(inactive);
    configuration[i] = inactive;
    return all;
  }

  Activity activity_of(std::size_t parameter, const Configuration& configuration,
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

  const SearchSpace& space_;
  std::vector<bool> own_;
  std::vector<bool> told_;
};

}  // namespace cubicbench::scenarios
