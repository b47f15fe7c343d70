#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "scenarios/space/search_space.h"
#include "sim/plan/plan.h"

namespace cubicbench::datasets {

/// A plan some of whose knobs were turned.
struct PlanChange {
  /// The knobs that were turned, then those that became active by it.
  std::vector<scenarios::Assignment> set{};
  sim::Plan plan;
  /// Why no search would propose it, though it might propose what was changed; else empty.
  std::string outside{};
};

/// What becomes of a plan when knobs of a space are turned. The plan itself may lie outside the
/// space; knobs get values of the space only. Knobs that a change makes active get the first value
/// of the space, as among `neighbours` (datasets/landscape/hill_climb.h); those that it makes
/// inactive lose theirs. The changed plan is what `--set` makes of the plan with these assignments.
///
/// The space must outlive it. Threads may share it.
class PlanChanges {
 public:
  PlanChanges(const scenarios::SearchSpace& space, const sim::Plan& plan);

  /// Each active knob at each other value, in the order of the space.
  std::vector<PlanChange> singles() const;

  /// How many singles() there are.
  std::size_t single_count() const;

  /// Each pair of different knobs at other values, where the second is active once the first is
  /// turned: both of them among `firsts`, which are of singles(), or the second one that the first
  /// makes active. In the order of `firsts`.
  std::vector<PlanChange> pairs(std::span<const PlanChange> firsts) const;

  /// How many pairs `one` adds at most to those of `others` changes.
  std::size_t pairs_with(const PlanChange& one, std::size_t others) const;

 private:
  PlanChange changed(std::vector<scenarios::Assignment> set) const;
  void add_activated(const sim::Plan& plan, std::size_t from, PlanChange& change) const;
  std::string outside(const sim::Plan& plan) const;
  const scenarios::Parameter& parameter_of(const scenarios::Assignment& assignment) const;

  const scenarios::SearchSpace& space_;
  sim::Plan plan_;
  std::vector<bool> active_;
  std::vector<scenarios::SpaceProblem> problems_;  ///< of the plan itself
};

}  // namespace cubicbench::datasets
