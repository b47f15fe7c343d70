#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "sim/base/philox.h"

namespace cubicbench::search {

/// Which of its random numbers a searcher draws. Values are part of every recorded study: only
/// append.
enum class Stream : std::uint64_t {
  order = 0,        ///< taken: support/permutation draws the same numbers
  replacement = 1,  ///< draws with replacement
  decision = 2,     ///< tournaments and mutations
  scramble = 3,     ///< of low-discrepancy points
  padding = 4,      ///< coordinates beyond the tabled dimensions
  labels = 5,       ///< order in which a permuted space lists the values of a parameter
  knobs = 6,        ///< order in which it lists its parameters
  corners = 7,      ///< which corner of the space comes next
  outcome = 8,      ///< what a searcher draws when a trial is told
};

/// The name of random number `draw` of entity `entity` (below 2^56) of one of a searcher's streams.
constexpr sim::Draw search_draw(std::uint64_t seed, Stream stream, std::uint64_t entity,
                                std::uint32_t draw) {
  constexpr int entity_bits = 56;
  return {.seed = seed,
          .purpose = sim::Purpose::search,
          .entity = static_cast<std::uint64_t>(stream) << entity_bits | entity,
          .draw = draw};
}

/// The numbers of one entity (one proposal, say), one after the other.
class RandomStream {
 public:
  constexpr RandomStream(std::uint64_t seed, Stream stream, std::uint64_t entity)
      : next_(search_draw(seed, stream, entity, 0)) {}

  /// Uniform in {0, ..., n - 1}. Requires n >= 1.
  constexpr std::uint64_t below(std::uint64_t n) {
    const std::uint64_t value = sim::uniform_below(next_, n);
    ++next_.draw;
    return value;
  }

  /// Uniform in [0, 1).
  constexpr double uniform() {
    const double value = sim::uniform(next_);
    ++next_.draw;
    return value;
  }

  /// Standard normal.
  double normal() {
    const double value = sim::standard_normal(next_);
    ++next_.draw;
    return value;
  }

  /// Uniform position in a container of `size` >= 1 entries.
  constexpr std::size_t position(std::size_t size) { return static_cast<std::size_t>(below(size)); }

 private:
  sim::Draw next_;
};

/// Puts `items` into a uniform order (Fisher and Yates).
template <typename Items>
void shuffle(Items& items, RandomStream& random) {
  for (std::size_t left = items.size(); left > 1; --left) {
    std::swap(items[left - 1], items[random.position(left)]);
  }
}

}  // namespace cubicbench::search
