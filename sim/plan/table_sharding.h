#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/hardware/cluster.h"
#include "sim/plan/plan.h"
#include "sim/plan/room_slack.h"
#include "sim/workload/recommendation.h"

namespace cubicbench::sim {

/// How the tables of one group lie on the ranks of one copy of all tables.
enum class TableLayout : std::uint8_t {
  whole,         ///< each table, or each of its column shards, on one rank
  by_node_rows,  ///< each of them cut by rows over the ranks of one node
  by_rows,       ///< every table cut by rows over all ranks
  replicated,    ///< every table on every rank
};

/// The shards of one table group, all alike.
struct TableShards {
  TableLayout layout = TableLayout::whole;
  std::int64_t count = 0;    ///< what is placed, on a rank or a node; tables when cut by rows over
                             ///< all ranks or replicated
  std::int64_t columns = 1;  ///< that a table is cut to
  std::int64_t parts = 1;    ///< that its rows are cut to, each on a rank or node of its own
  std::int64_t rows = 0;     ///< of one rank's part
  std::int64_t width = 0;    ///< elements a row of the shard
  double pooling = 0.0;      ///< ids a sample that one part of the table is asked for
  double element_bytes = 4.0;
  bool pooled = true;
  EmbeddingKernel kernel = EmbeddingKernel::fused;
  RowAccess access{};   ///< of the whole table
  double misses = 0.0;  ///< share of its accesses whose rows the cache lacks

  bool operator==(const TableShards&) const = default;
};

/// Shards that lie on some ranks or nodes and not on all.
constexpr bool is_placed(const TableShards& shards) {
  return shards.layout == TableLayout::whole || shards.layout == TableLayout::by_node_rows;
}

/// Elements a sample that leave the owner of a shard.
double output_width(const TableShards& shards);

/// What reading rows narrower than a block costs more than their bytes, where they are
/// sharded: 1.15 below 128 elements, 1.75 below 64, and no row costs less than 32 elements
/// [TorchRec, planner constants and estimators].
double row_penalty(const TableShards& shards);
double row_width(const TableShards& shards);

/// Ranks of one copy that hold the same number of shards of each group.
struct RankClass {
  std::int64_t first = 0;  ///< rank that stands for them, counted within a copy
  std::int64_t ranks = 0;
  double load = 0.0;       ///< seconds a sample of a copy's batch
  double read = 0.0;       ///< of it, what is read and updated in memory
  double bytes = 0.0;      ///< of weights and optimizer state in device memory
  std::uint32_t held = 0;  ///< row of `TableSharding::held`

  bool operator==(const RankClass&) const = default;
};

/// Which rank holds what. Reused, it allocates nothing once it has seen its largest plan.
struct TableSharding {
  std::vector<TableShards> shards;  ///< of every table group
  std::vector<RankClass> classes;   ///< least loaded first
  std::vector<std::int32_t> held;  ///< [rows x groups]: shards that a rank of a class holds of each
  std::int64_t copies = 1;         ///< of all tables but the replicated ones
  std::int64_t ranks = 1;          ///< of one copy
  std::int64_t node_ranks = 1;     ///< of them on one node
  RoomSlack slack;                 ///< of what `resident` bytes beside the tables leave
  std::vector<double> costs;       ///< scratch: load of what is placed, of every group
  std::vector<double> costs_read;  ///< scratch: of it, what is read and updated in memory
  std::vector<std::uint32_t> order;      ///< scratch
  std::vector<std::uint32_t> queue;      ///< scratch
  std::vector<RankClass> sorted;         ///< scratch
  std::vector<std::uint32_t> best_cuts;  ///< scratch of the planner
  std::vector<TableShards> best_shards;  ///< scratch of the planner

  std::span<const std::int32_t> held_by(const RankClass& ranks_of) const {
    return std::span(held).subspan(ranks_of.held * shards.size(), shards.size());
  }
};

/// Columns are cut no narrower than this [TorchRec, planner constants].
inline constexpr std::int64_t column_shard_width_min = 128;

/// Share of a device's memory that the planner keeps free [TorchRec, storage reservations].
inline constexpr double planner_reserve = 0.15;

/// Bytes of a weight of the group.
double element_bytes(const TableGroup& group, const Plan& plan);

/// Bytes of one table of the group, without optimizer state.
double table_bytes(const TableGroup& group, const Plan& plan);

/// Bytes of the weights of one rank's part, wherever they lie, and of their optimizer state: Adam
/// two fp32 moments a weight, row-wise Adagrad one fp32 a row, SGD none.
double shard_weights(const TableShards& shards, const Plan& plan);
double shard_state(const TableShards& shards, const Plan& plan);

/// The share of both that lies in device memory: all, the cached rows, or none.
double device_share(const TableShards& shards, const Plan& plan);

/// Lays out every group and says which rank holds what.
///
/// Tables below the threshold are replicated. Others are laid out as the embedding plan says, those
/// that are not pooled by rows over all ranks; the planner (and a 2D plan, which is the planner's
/// in every copy) chooses a layout for each group [docs/models.md, section R]. Then shards go,
/// those of the costliest group first, each to the rank or node with the least load so far that has
/// room for it, as TorchRec's greedy partitioner places them. A rank has room for what `resident`
/// bytes of dense weights and the reserve leave of its memory; where nobody has, the emptiest takes
/// it. Ties go to lower ranks. Ranks stay in classes, so the work grows with the number of groups
/// and not of ranks. Requires check(plan, model, cluster) to pass.
void shard_tables(const Recommendation& model, const Plan& plan, const Cluster& cluster,
                  Bytes resident, TableSharding& sharding);

/// Ranks that share one table, or one shard of it, in this layout; all hold a replica.
inline std::int64_t shard_ranks(TableLayout layout, const TableSharding& sharding) {
  if (layout == TableLayout::whole) return 1;
  return layout == TableLayout::by_node_rows ? sharding.node_ranks : sharding.ranks;
}

/// Bytes of one rank's part in device memory, with its state.
inline double device_bytes(const TableShards& shards, const Plan& plan) {
  return device_share(shards, plan) * (shard_weights(shards, plan) + shard_state(shards, plan));
}

/// Fills `classes` and `held` of `sharding`, all else being there: gives every placed shard to the
/// least loaded rank or node with `room` bytes for it, those of the costliest group first, parts
/// that take whole nodes before those that take a rank.
void place_tables(const Plan& plan, double room, TableSharding& sharding);

/// What tables by rows leave of `room` bytes.
double placed_room(const Plan& plan, double room, const TableSharding& sharding);

}  // namespace cubicbench::sim
