#include "sim/plan/table_sharding.h"

#include <algorithm>
#include <numeric>

#include "sim/base/units.h"
#include "sim/plan/shard_cost.h"
#include "sim/plan/table_planner.h"

namespace cubicbench::sim {
namespace {

bool replicated(const TableGroup& group, const Plan& plan) {
  const double threshold = real(plan.embedding_replicate_below_gib_thousandths) * 1e-3;
  return plan.embedding_plan == EmbeddingPlan::data_parallel ||
         table_bytes(group, plan) < threshold * Bytes{1_GiB}.value;
}

bool is_planned(EmbeddingPlan plan) {
  return plan == EmbeddingPlan::planner || plan == EmbeddingPlan::two_d;
}

/// A pinned plan is of pooled tables. Rows that are not pooled leave by the dozen a sample, too
/// many for the links of one rank or node: those tables are cut by rows.
TableShards pinned(const TableGroup& group, const Plan& plan, const TableSharding& sharding) {
  if (!group.pooled) return shards_of(group, {.layout = TableLayout::by_rows}, plan, sharding);
  const auto is = [&](EmbeddingPlan pinned) { return plan.embedding_plan == pinned; };
  const bool grid = is(EmbeddingPlan::grid);
  const bool by_node_rows = grid || is(EmbeddingPlan::table_row_wise);
  return shards_of(group,
                   {.layout = is(EmbeddingPlan::row_wise) ? TableLayout::by_rows
                              : by_node_rows              ? TableLayout::by_node_rows
                                                          : TableLayout::whole,
                    .by_columns = grid || is(EmbeddingPlan::column_wise)},
                   plan, sharding);
}

/// Copies are neighbours, so that the ranks of one copy are `copies` apart: averaging weights stays
/// in a node as long as its GPUs suffice [TorchRec2D, section 3].
void divide(const Plan& plan, const Cluster& cluster, TableSharding& sharding) {
  sharding.copies = plan.embedding_groups;
  sharding.ranks = cluster.gpus / sharding.copies;
  const std::int64_t node = std::max<std::int64_t>(1, cluster.gpus_per_node / sharding.copies);
  sharding.node_ranks = sharding.ranks <= node ? sharding.ranks : std::gcd(sharding.ranks, node);
}

}  // namespace

double output_width(const TableShards& shards) {
  return real(shards.width) * (shards.pooled ? 1.0 : shards.pooling);
}

double row_penalty(const TableShards& shards) {
  constexpr double half_block = 1.15;
  constexpr double quarter_block = 1.75;
  if (shards.layout == TableLayout::replicated) return 1.0;
  return shards.width >= 128 ? 1.0 : shards.width >= 64 ? half_block : quarter_block;
}

double row_width(const TableShards& shards) {
  constexpr double width_min = 32.0;
  const double width = real(shards.width);
  return shards.layout == TableLayout::replicated ? width : std::max(width, width_min);
}

double element_bytes(const TableGroup& group, const Plan& plan) {
  return group.element_bytes > 0 ? real(group.element_bytes) : storage_bytes(plan.embedding_dtype);
}

double table_bytes(const TableGroup& group, const Plan& plan) {
  return real(group.rows) * real(group.dim) * element_bytes(group, plan);
}

double shard_weights(const TableShards& shards, const Plan&) {
  return real(shards.rows) * real(shards.width) * shards.element_bytes;
}

double shard_state(const TableShards& shards, const Plan& plan) {
  const Optimizer optimizer = plan.embedding_optimizer;
  return state_bytes(optimizer) * real(shards.rows) * real(shards.width) +
         traits(optimizer).row_bytes * real(shards.rows);
}

double device_share(const TableShards& shards, const Plan& plan) {
  if (shards.kernel == EmbeddingKernel::fused) return 1.0;
  return shards.kernel == EmbeddingKernel::uvm ? 0.0
                                               : real(plan.embedding_cache_thousandths) * 1e-3;
}

void shard_tables(const Recommendation& model, const Plan& plan, const Cluster& cluster,
                  Bytes resident, TableSharding& sharding) {
  divide(plan, cluster, sharding);
  sharding.slack = {};
  const ShardRates rates = shard_rates(cluster, sharding);
  double room = (1.0 - planner_reserve) * cluster.device.memory.value - resident.value;
  const std::size_t groups = model.tables.size();
  sharding.shards.resize(groups);
  sharding.costs.resize(groups);
  sharding.costs_read.resize(groups);
  for (std::size_t i = 0; i < groups; ++i) {
    const TableGroup& group = model.tables[i];
    TableShards& shards = sharding.shards[i];
    if (replicated(group, plan)) {
      shards = shards_of(group, {.layout = TableLayout::replicated}, plan, sharding);
      room -= real(shards.count) * (shard_weights(shards, plan) + shard_state(shards, plan));
    } else {
      shards = pinned(group, plan, sharding);
    }
    weigh(i, plan, rates, sharding);
  }
  if (is_planned(plan.embedding_plan)) plan_tables(model, plan, rates, room, sharding);
  place_tables(plan, placed_room(plan, room, sharding), sharding);
  if (is_planned(plan.embedding_plan)) prefer_uniform(model, plan, rates, room, sharding);
}

}  // namespace cubicbench::sim
