#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scenarios/space/search_space.h"

namespace cubicbench::results {

/// A configuration that redrawing one parameter leads to.
struct Redraw {
  std::uint64_t number = 0;
  double weight = 0.0;  ///< in proportion to its probability

  bool operator==(const Redraw&) const = default;
};

/// Where redrawing parameter `parameter` of a configuration leads, all others being held: one entry
/// a value that no constraint rejects, the present one included. Nothing for an inactive parameter,
/// whose value says nothing.
///
/// `held` is the configuration with a value for inactive parameters too: what they would have. A
/// change that makes them active brings that value out. If those values are uniform, a
/// configuration and what lies hidden behind it have probability 1 / (configurations x values of
/// each inactive parameter, multiplied); so has each redraw, and weights are in proportion. Redraws
/// by weight of a uniform configuration are uniform again.
std::vector<Redraw> redraws(const scenarios::SearchSpace& space,
                            std::span<const std::int64_t> configuration,
                            std::span<const std::int64_t> held, std::size_t parameter);

}  // namespace cubicbench::results
