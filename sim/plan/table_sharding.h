#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/hardware/cluster.h"
#include "sim/plan/plan.h"
#include "sim/workload/recommendation.h"

namespace cubicbench::sim {

/// How the tables of one group lie on the ranks.
enum class TableLayout {
  whole,       ///< each table, or each of its column shards, on one rank
  by_rows,     ///< every table cut by rows over all ranks
  replicated,  ///< every table on every rank
};

/// The shards of one table group: alike, and placed one by one when whole.
struct TableShards {
  TableLayout layout = TableLayout::whole;
  std::int64_t count = 0;    ///< shards that are placed; tables when cut by rows or replicated
  std::int64_t columns = 1;  ///< shards a table
  std::int64_t rows = 0;     ///< of one shard; the largest rank's when cut by rows
  std::int64_t width = 0;    ///< elements a row of the shard
  double pooling = 0.0;
};

/// Ranks that hold the same number of whole shards of each group.
struct RankClass {
  std::int64_t first = 0;  ///< rank that stands for them
  std::int64_t ranks = 0;
  double load = 0.0;
  /// 32 bits, since classes move while tables are placed.
  std::array<std::int32_t, table_groups_max> held{};
};

/// Which rank holds what. Reused, it allocates nothing once it has seen its largest plan.
struct TableSharding {
  std::array<TableShards, table_groups_max> shards{};
  std::size_t groups = 0;
  std::vector<RankClass> classes;

  std::span<const TableShards> all() const { return {shards.data(), groups}; }
};

/// Columns are cut no narrower than this [TorchRec, planner constants].
inline constexpr std::int64_t column_shard_width_min = 128;

/// Bytes of a weight stored as `dtype`.
double table_bytes(const TableGroup& group, Dtype dtype);

/// Lays out every group as the plan says: replicated below the threshold, else by the embedding
/// plan. Whole shards go, those of the costliest group first, each to the rank with the least load
/// so far, as TorchRec's greedy partitioner places them by cost; `load` is bytes read and exchanged
/// weighted by the rates of memory and network. Ties go to lower ranks. Ranks stay in classes, so
/// the work grows with the number of groups and not of ranks.
/// Requires check(plan, model, cluster) to pass.
void shard_tables(const Recommendation& model, const Plan& plan, const Cluster& cluster,
                  TableSharding& sharding);

}  // namespace cubicbench::sim
