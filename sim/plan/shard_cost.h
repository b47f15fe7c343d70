#pragma once

#include <cstddef>

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

/// What a sharding costs before anything is placed, in seconds a sample. Lookups of all ranks end
/// before exchanges begin: each has fullest ranks of its own.
struct TableBalance {
  double shared = 0.0;  ///< what every rank pays for tables that are not placed
  double read = 0.0;    ///< of placed shards, summed over ranks
  double wire = 0.0;
  double largest_read = 0.0;
  double largest_wire = 0.0;

  /// The least that any placement on so many ranks costs: fair shares, or the largest shards.
  double least(double ranks) const;
};

/// Adds the shards of one group `sign` times, not to the largest.
void add_group(std::size_t group, double sign, const TableSharding& sharding, TableBalance& sum);

/// Of all groups, by their costs.
TableBalance balance_of(const TableSharding& sharding);

}  // namespace cubicbench::sim
