#pragma once

#include "sim/hardware/cluster.h"
#include "sim/plan/plan.h"
#include "sim/plan/table_sharding.h"

namespace cubicbench::sim {

/// What the planner counts with: seconds a byte, of memory, of an all-to-all, of a reduce-scatter
/// inside a node and of one over all ranks.
struct ShardRates {
  double memory = 0.0;
  double host = 0.0;  ///< between host memory and the device
  double exchange = 0.0;
  double node_reduce = 0.0;
  double reduce = 0.0;
};

ShardRates shard_rates(const Cluster& cluster, const TableSharding& sharding);

/// Seconds a sample of a copy's batch that one placed shard costs its rank, or each rank of its
/// node; of a table by rows or replicated, that it costs every rank. A lookup, its backward pass
/// (twice as much) and the exchanges of rows and gradients; and of it, what is read and updated in
/// memory: lookups of all ranks end before what they send arrives, so that the two have fullest
/// ranks of their own. Fills both for a group of `sharding`.
void weigh(std::size_t group, const Plan& plan, const ShardRates& rates, TableSharding& sharding);

}  // namespace cubicbench::sim
