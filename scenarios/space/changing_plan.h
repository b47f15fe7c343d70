#pragma once

#include <cstdint>
#include <span>

#include "scenarios/space/search_space.h"
#include "sim/plan/plan.h"

namespace cubicbench::scenarios {

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
