#pragma once

#include <span>
#include <string>
#include <string_view>

#include "results/document/figure.h"
#include "scenarios/problem/trial_outcome.h"

namespace cubicbench::results {

/// How a point that has no objective is shown.
struct FailureLook {
  scenarios::Reason reason;
  std::string_view word;    ///< in a grid: "OOM"
  std::string_view phrase;  ///< in sentences and legends: "out of memory"
  PointMark mark;
  std::string color;
};

/// All of them, in the order in which they are counted.
std::span<const FailureLook> failure_looks();

/// Requires another reason than none.
const FailureLook& look_of(scenarios::Reason reason);

}  // namespace cubicbench::results
