#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scenarios/space/search_space.h"
#include "scenarios/space/space_diagram.h"
#include "sim/plan/plan.h"

namespace cubicbench::scenarios {

/// Goes through configurations in the order of their numbers. A step changes what differs from the
/// one before and nothing else, which takes a few nanoseconds where configuration_at() takes a
/// descent through the whole diagram.
///
/// `diagram` must outlive it. Not to be shared by threads.
class SpaceWalk {
 public:
  /// Starts at configuration `number`. Requires number < diagram.count().
  SpaceWalk(const SpaceDiagram& diagram, std::uint64_t number);

  std::span<const std::int64_t> configuration() const { return configuration_; }
  std::uint64_t number() const { return number_; }

  /// Goes on to the next; false, and no step, at the last.
  bool advance();

 private:
  /// The first choices of the layers from `layer` on, below the node that the path has there.
  void descend(std::size_t layer);
  /// Takes the first choice of `layer` from `choice` on that leads anywhere; false if none does.
  bool choose(std::size_t layer, std::uint32_t choice);

  const SpaceDiagram* diagram_;
  Configuration configuration_;
  std::uint64_t number_ = 0;
  std::vector<std::uint32_t> nodes_;    ///< of every layer
  std::vector<std::uint32_t> choices_;  ///< the edge taken there
};

/// The plans of configurations that are asked for one after another: SearchSpace::apply() of the
/// parameters that changed. `space` must outlive it. Not to be shared by threads.
class ChangingPlan {
 public:
  explicit ChangingPlan(const SearchSpace& space);

  /// The plan of a configuration, good until the next call.
  const sim::Plan& of(std::span<const std::int64_t> configuration);

 private:
  const SearchSpace& space_;
  Configuration configuration_;  ///< of `plan_`
  sim::Plan plan_;
};

}  // namespace cubicbench::scenarios
