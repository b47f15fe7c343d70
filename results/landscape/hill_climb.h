#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "results/landscape/judge.h"
#include "scenarios/problem/scenario.h"

namespace cubicbench::results {

/// A configuration without a better neighbour.
struct Summit {
  std::uint64_t number = 0;
  double value = 0.0;
  std::uint64_t evaluations = 0;  ///< different configurations that were asked for, starts included
};

/// Steepest ascent from every start: to the best configuration that differs in one parameter; where
/// none is better, in two; until none of those is better either. Climbers that meet go on as one.
/// Of equal values the lowest number counts. Returns the best place reached, nothing where no start
/// runs. A pure function of its arguments.
std::optional<Summit> hill_climb(const scenarios::SearchSpace& space,
                                 scenarios::Direction direction, const Judge& judge,
                                 std::span<const std::uint64_t> starts);

}  // namespace cubicbench::results
