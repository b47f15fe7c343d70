#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <unordered_set>
#include <utility>
#include <vector>

#include "scenarios/space/search_space.h"
#include "search/searchers/unproposed.h"

namespace cubicbench::search {

/// The configurations that are worth most of those that were added, each once and none that was
/// proposed. `Worth` says what a configuration is worth; it is told a bound, and need not look
/// closely at what is not worth more.
template <typename Worth>
class Ranking {
 public:
  Ranking(const scenarios::SearchSpace& space, const Unproposed& unproposed, std::size_t keep,
          Worth worth)
      : space_(space), unproposed_(unproposed), keep_(keep), worth_(std::move(worth)) {}

  void add(const scenarios::Configuration& config) {
    const std::uint64_t number = space_.number_of(config);
    if (unproposed_.taken(number) || !numbers_.insert(number).second) return;
    const bool full = kept_.size() == keep_;
    const double bound = full ? kept_.back().worth : -std::numeric_limits<double>::infinity();
    const double worth = worth_(config, bound);
    if (worth <= bound) return;
    if (full) kept_.pop_back();
    const auto after = std::ranges::upper_bound(kept_, worth, std::ranges::greater{}, &Kept::worth);
    kept_.insert(after, {.config = config, .worth = worth});
  }

  bool empty() const { return kept_.empty(); }
  const scenarios::Configuration& best() const { return kept_.front().config; }

  /// The best first.
  std::vector<scenarios::Configuration> configs() const {
    std::vector<scenarios::Configuration> configs;
    for (const Kept& kept : kept_) configs.push_back(kept.config);
    return configs;
  }

 private:
  struct Kept {
    scenarios::Configuration config;
    double worth = 0.0;
  };

  const scenarios::SearchSpace& space_;
  const Unproposed& unproposed_;
  std::size_t keep_;
  Worth worth_;
  std::unordered_set<std::uint64_t> numbers_;  ///< asked for membership alone
  std::vector<Kept> kept_;                     ///< the best first, of equals the one added first
};

}  // namespace cubicbench::search
