#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scenarios/space/search_space.h"
#include "scenarios/space/space_diagram.h"

namespace cubicbench::scenarios {

/// A diagram of the same configurations that decides parameters in the order of the list; where it
/// would be too large, the space's own.
SpaceDiagram diagram_in_listed_order(const SearchSpace& space);

/// A space as a tree, for those who prune it: a place is what the parameters up to some depth are.
/// Parameters are decided in the order of the list where that takes no diagram that is too large,
/// so that what is decided at depth d are the first d.
///
/// Immutable; threads may share it.
class SpaceTree {
 public:
  /// Where in the tree: places that can be completed in the same ways share one.
  struct Place {
    std::uint32_t depth = 0;
    std::uint32_t node = 0;
  };

  explicit SpaceTree(const SearchSpace& space);

  /// How many parameters there are: the depth of a configuration.
  std::size_t depth() const { return diagram_.parameters(); }
  /// Requires a space with a configuration.
  static Place root() { return {}; }
  /// Configurations below.
  std::uint64_t count(Place place) const;
  /// The leading parameters of the list that are decided at this depth.
  std::size_t decided(std::uint32_t depth) const { return decided_[depth]; }

  /// A way on from a place, that has configurations below.
  struct Choice {
    Place child;
    std::int64_t index = 0;  ///< of the value, or `inactive`
  };
  /// Replaces `choices` by those of `place`. Requires depth < depth().
  void choices(Place place, std::vector<Choice>& choices) const;
  /// The parameter that is decided at this depth.
  std::size_t parameter(std::uint32_t depth) const;

 private:
  SpaceDiagram diagram_;
  std::vector<std::size_t> decided_;
};

}  // namespace cubicbench::scenarios
