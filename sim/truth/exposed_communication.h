#pragma once

#include "sim/base/units.h"
#include "sim/engine/step_report.h"
#include "sim/hardware/cluster.h"
#include "sim/plan/plan.h"

namespace cubicbench::sim {

/// The part of a step that waits for traffic between nodes: the communication parts, without those
/// of groups that fit into a node (tensor, and tensor x context ranks are neighbours). Zero on one
/// node. Left out: the in-node share of a group that leaves its node.
Seconds exposed_between_nodes(const StepReport& report, const Plan& plan, const Cluster& cluster);

}  // namespace cubicbench::sim
