#pragma once

#include "sim/hardware/cluster.h"
#include "sim/network/collective.h"
#include "sim/plan/plan.h"

namespace cubicbench::sim {

/// The communicators of one rank. Dimensions are laid out inner to outer as tensor, context,
/// pipeline, data [Llama3, section 3.3.2], so tensor groups stay on a node while they fit.
struct DeviceMesh {
  Group tensor;
  Group context;
  Group replica;    ///< all ranks that hold the same model shard: data x context
  Group shard;      ///< the part of `replica` that shares one copy of the sharded state
  Group replicate;  ///< the part of `replica` that holds equal shards
  Group reshard;    ///< the ranks that backward gathers from (reshard_after_forward = n)
  bool pipeline_crosses_nodes = false;
};

/// Requires check(plan, ..) to pass.
DeviceMesh device_mesh(const Plan& plan, const Cluster& cluster);

}  // namespace cubicbench::sim
