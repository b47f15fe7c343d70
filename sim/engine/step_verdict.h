#pragma once

#include "sim/base/units.h"
#include "sim/engine/step_report.h"

namespace cubicbench::sim {

/// What is kept of a step where many are asked for: the status and step of its StepReport.
/// `step` is meaningful only when `status` is ok.
struct StepVerdict {
  StepStatus status = StepStatus::ok;
  Seconds step{};

  bool operator==(const StepVerdict&) const = default;
};

}  // namespace cubicbench::sim
