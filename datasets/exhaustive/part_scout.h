#pragma once

#include <cstdint>
#include <vector>

#include "datasets/exhaustive/best_found.h"
#include "scenarios/bounds/value_bound.h"
#include "scenarios/problem/scenario.h"
#include "scenarios/space/space_diagram.h"
#include "scenarios/space/space_tree.h"
#include "scenarios/truth/instance.h"
#include "scenarios/truth/true_values.h"

namespace cubicbench::datasets {

/// A part of the space that is still to be looked at.
struct OpenPart {
  double bound = 0.0;
  std::uint64_t made = 0;  ///< when, to tell equals apart; OpenParts sets it
  scenarios::SpaceTree::Place place;
  scenarios::Configuration configuration;  ///< what is decided at `place`
};

/// All that are still to be looked at, the one with the best bound first, of equals the newest: it
/// lies deepest.
class OpenParts {
 public:
  explicit OpenParts(scenarios::Direction direction) : direction_(direction) {}

  bool empty() const { return heap_.empty(); }
  /// These require that it is not empty.
  const OpenPart& front() const { return heap_.front(); }
  OpenPart pop();

  void push(OpenPart part);

 private:
  bool later(const OpenPart& a, const OpenPart& b) const;

  scenarios::Direction direction_;
  std::vector<OpenPart> heap_;
  std::uint64_t made_ = 0;
};

/// Parts this small are valued rather than bounded.
inline constexpr std::uint64_t configurations_valued_at_once = 4;

/// What a look at a part came to.
struct PartLook {
  BestFound best;
  std::vector<OpenPart> left;  ///< hopeful, and not looked at
  std::uint64_t valued = 0;
  std::uint64_t bounded = 0;
};

/// Looks at parts of a space, one after the other. `instance` and `tree`, which is that of its
/// space, must outlive it. Not to be shared by threads.
class PartScout {
 public:
  PartScout(const scenarios::Instance& instance, const scenarios::SpaceTree& tree);

  /// Looks at `part`, the most hopeful of it first, until all is seen, or `effort` values and
  /// bounds or `valued_max` values are spent.
  PartLook look(OpenPart part, KnownValue known, std::uint64_t effort, std::uint64_t valued_max);

  /// Bounds the parts that the next parameter makes of `part`, and values nothing.
  PartLook divide(const OpenPart& part, KnownValue known);

 private:
  /// Every configuration of the part at `place`.
  void value_all(scenarios::SpaceTree::Place place);
  void value();
  /// Leaves the parts that the next parameter makes of one, the most hopeful at the end.
  void branch(const OpenPart& part);
  double bound_at(scenarios::SpaceTree::Place place, double above);

  const scenarios::SearchSpace& space_;
  const scenarios::SpaceTree& tree_;
  scenarios::TrueValues values_;
  scenarios::ValueBound bounds_;
  KnownValue known_;
  PartLook look_;
  scenarios::Configuration configuration_;
  std::vector<scenarios::SpaceTree::Choice> choices_;
};

}  // namespace cubicbench::datasets
