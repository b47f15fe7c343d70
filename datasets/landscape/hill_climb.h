#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "datasets/landscape/judge.h"
#include "scenarios/problem/scenario.h"

namespace cubicbench::datasets {

/// The configurations that differ from configuration `number` in the values of up to `changes`
/// parameters, without itself, in rising order. Parameters that a change makes active take their
/// first value, those that it makes inactive lose theirs; the next change may be of the former.
/// What a constraint rejects between two changes may be passed through. Requires number < count().
std::vector<std::uint64_t> neighbours(const scenarios::SearchSpace& space, std::uint64_t number,
                                      int changes);

/// A configuration without a better neighbour.
struct Summit {
  std::uint64_t number = 0;
  double value = 0.0;
  std::uint64_t evaluations = 0;  ///< different configurations that were asked for, starts included
};

/// Where climbs end, one entry a start; nothing where the start does not run.
using ClimbEnds = std::vector<std::optional<Summit>>;

/// Steepest ascent from every start: to the best configuration that differs in one parameter; where
/// none is better, in two; and so on up to `changes`, until none of those is better either.
/// Climbers that meet go on as one. Of equal values the lowest number counts. Evaluations are those
/// of all climbs together. A pure function of its arguments.
ClimbEnds climb_ends(const scenarios::SearchSpace& space, scenarios::Direction direction,
                     const Judge& judge, std::span<const std::uint64_t> starts, int changes);

/// The best place that climbs with up to two changes reach, the first of equals; nothing where no
/// start runs.
std::optional<Summit> hill_climb(const scenarios::SearchSpace& space,
                                 scenarios::Direction direction, const Judge& judge,
                                 std::span<const std::uint64_t> starts);

}  // namespace cubicbench::datasets
