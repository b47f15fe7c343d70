#pragma once

#include <cstdint>

#include "sim/plan/table_sharding.h"

namespace cubicbench::sim {

/// Ranks that share one table, or one shard of it, in this layout; all hold a replica.
inline std::int64_t shard_ranks(TableLayout layout, const TableSharding& sharding) {
  switch (layout) {
    case TableLayout::whole:
      return 1;
    case TableLayout::by_node_rows:
      return sharding.node_ranks;
    case TableLayout::by_rows:
    case TableLayout::replicated:
      return sharding.ranks;
  }
  return 1;
}

/// Bytes of one rank's part in device memory, with its state.
inline double device_bytes(const TableShards& shards, const Plan& plan) {
  return device_share(shards, plan) * (shard_weights(shards, plan) + shard_state(shards, plan));
}

}  // namespace cubicbench::sim
