#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/hardware/cluster.h"
#include "sim/plan/plan.h"
#include "sim/plan/validity.h"
#include "sim/workload/workload.h"
#include "support/input_error.h"

namespace cubicbench::scenarios {

/// One sentence without a full stop that names the setting, what it is and what it would have to
/// be: "tensor_parallel is 7, but must divide attention_heads (128)". Requires a violation.
std::string violation_text(const sim::Violation& violation);

/// What stops the simulator from laying out `plan` on as much of the cluster as it takes, in the
/// words of a scenario file. `where` turns the name of a setting, or "cluster.gpus", into the place
/// that gives it (`FILE#/baseline/tensor_parallel`).
std::vector<support::Problem> layout_problems(
    const sim::Plan& plan, const sim::Workload& workload, const sim::Cluster& whole,
    const std::function<std::string(std::string_view)>& where);

}  // namespace cubicbench::scenarios
