#pragma once

#include <cstdint>

#include "sim/hardware/cluster.h"
#include "sim/plan/plan.h"

namespace cubicbench::sim {

/// GPUs that a job of `plan` takes of `cluster`: all of them unless the plan says how many.
constexpr int gpus_of(const Plan& plan, const Cluster& cluster) {
  return plan.gpus > 0 ? static_cast<int>(plan.gpus) : cluster.gpus;
}

/// Nodes that it takes, the last of which may have GPUs to spare.
constexpr int nodes_of(const Plan& plan, const Cluster& cluster) {
  return (gpus_of(plan, cluster) + cluster.gpus_per_node - 1) / cluster.gpus_per_node;
}

/// What a job of `plan` sees of `cluster`: the same machines, as many as it takes. Whoever lays out
/// or times a plan that says how many it takes does it on these.
inline Cluster cluster_of(const Plan& plan, const Cluster& cluster) {
  Cluster part = cluster;
  part.gpus = gpus_of(plan, cluster);
  return part;
}

}  // namespace cubicbench::sim
