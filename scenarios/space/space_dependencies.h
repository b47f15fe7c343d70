#pragma once

#include <cstddef>
#include <vector>

#include "scenarios/space/space_rules.h"

namespace cubicbench::scenarios {

/// Which parameters have to be known to decide what; a parameter is its index.
struct SpaceDependencies {
  std::vector<std::vector<std::size_t>> parents;  ///< of each parameter: those its conditions read
  std::vector<std::vector<std::size_t>> scopes;   ///< of each constraint: those it reads
  std::vector<std::size_t> states;  ///< of each parameter: its values, and whether it is inactive

  std::size_t size() const { return parents.size(); }

  /// Are the parents of `parameter` assigned?
  bool ready(std::size_t parameter, const std::vector<bool>& assigned) const;

  /// Constraints that can be decided once `parameter`, the last assigned, has a value.
  std::vector<std::size_t> completed_by(std::size_t parameter,
                                        const std::vector<bool>& assigned) const;

  /// The frontier are those assigned parameters that a later condition or constraint still reads,
  /// in the order of assignment: what was assigned can be told apart by them alone. This is the one
  /// after `parameter` is assigned too.
  std::vector<std::size_t> frontier_after(const std::vector<std::size_t>& frontier,
                                          std::size_t parameter, std::vector<bool> assigned) const;
};

/// A constraint reads a parameter directly or through data_parallel.
SpaceDependencies dependencies_of(const SpaceRules& rules);

/// In which order a diagram decides parameters, and numbers follow: so that the diagram is small,
/// or as they are listed.
enum class LayerOrder { narrow, listed };

/// Every parameter once, parents first. `narrow` goes component by component of those that
/// conditions and constraints join, in each the parameter next that leaves the frontier with the
/// fewest assignments; of equals the first listed.
std::vector<std::size_t> layer_order(const SpaceDependencies& dependencies, LayerOrder order);

}  // namespace cubicbench::scenarios
