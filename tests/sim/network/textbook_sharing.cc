#include "tests/sim/network/textbook_sharing.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace cubicbench::sim {

namespace {

__extension__ typedef __int128 Wide;

constexpr std::int64_t nothing_rises = std::numeric_limits<std::int64_t>::max();

struct Rising {
  std::vector<std::int64_t> rates;
  std::vector<bool> rising;

  bool any() const { return std::find(rising.begin(), rising.end(), true) != rising.end(); }
  void stop(std::size_t set, std::int64_t rate) {
    rates[set] = rate;
    rising[set] = false;
  }
};

/// At which rate of the rising sets each bundle is full.
std::vector<std::int64_t> levels_of(const std::vector<std::int64_t>& capacities,
                                    const std::vector<SharingSet>& sets, const Rising& now) {
  std::vector<Wide> free(capacities.begin(), capacities.end());
  std::vector<Wide> weight(capacities.size(), 0);
  for (Wide& each : free) each *= 256;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    for (const LinkUse& use : sets[set].uses) {
      const std::size_t bundle = index_of(use.bundle);
      (now.rising[set] ? weight : free)[bundle] +=
          now.rising[set] ? Wide{use.weight} : -Wide{now.rates[set]} * use.weight;
    }
  }
  std::vector<std::int64_t> levels;
  for (std::size_t bundle = 0; bundle < capacities.size(); ++bundle) {
    const Wide level = weight[bundle] == 0 ? nothing_rises : free[bundle] / weight[bundle];
    levels.push_back(static_cast<std::int64_t>(std::max(level, Wide{1})));
  }
  return levels;
}

bool stands_on(const SharingSet& set, const std::vector<std::int64_t>& levels, std::int64_t level) {
  return std::any_of(set.uses.begin(), set.uses.end(), [&](const LinkUse& use) {
    return use.weight > 0 && levels[index_of(use.bundle)] == level;
  });
}

}  // namespace

std::vector<std::int64_t> textbook_rates(const std::vector<std::int64_t>& capacities,
                                         const std::vector<SharingSet>& sets) {
  Rising now{.rates = std::vector<std::int64_t>(sets.size()), .rising = {}};
  for (const SharingSet& set : sets) now.rising.push_back(set.active);
  while (now.any()) {
    const std::vector<std::int64_t> levels = levels_of(capacities, sets, now);
    std::int64_t level = nothing_rises;
    for (const std::int64_t each : levels) level = std::min(level, each);
    std::int64_t cap = nothing_rises;
    for (std::size_t set = 0; set < sets.size(); ++set) {
      if (now.rising[set]) cap = std::min(cap, sets[set].cap);
    }
    for (std::size_t set = 0; set < sets.size(); ++set) {
      if (!now.rising[set]) continue;
      if (cap <= level) {
        if (sets[set].cap == cap) now.stop(set, cap);
      } else if (stands_on(sets[set], levels, level)) {
        now.stop(set, level);
      }
    }
  }
  return now.rates;
}

}  // namespace cubicbench::sim
