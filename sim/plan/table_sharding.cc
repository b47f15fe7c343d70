#include "sim/plan/table_sharding.h"

#include <algorithm>

#include "sim/base/check.h"
#include "sim/base/real.h"

namespace cubicbench::sim {
namespace {

/// As many equal shards of at least the minimum width as divide the row.
std::int64_t columns_of(std::int64_t dim) {
  std::int64_t columns = std::max<std::int64_t>(1, dim / column_shard_width_min);
  while (dim % columns != 0) {
    --columns;
  }
  return columns;
}

bool replicated(const TableGroup& group, const Plan& plan) {
  const double threshold = real(plan.embedding_replicate_below_gib_thousandths) * 1e-3;
  return plan.embedding_plan == EmbeddingPlan::data_parallel ||
         table_bytes(group, plan.embedding_dtype) < threshold * Bytes{1_GiB}.value;
}

TableShards shards_of(const TableGroup& group, const Plan& plan, std::int64_t ranks) {
  TableShards shards{
      .count = group.tables, .rows = group.rows, .width = group.dim, .pooling = group.pooling};
  if (replicated(group, plan)) {
    shards.layout = TableLayout::replicated;
  } else if (plan.embedding_plan == EmbeddingPlan::row_wise) {
    shards.layout = TableLayout::by_rows;
    shards.rows = (group.rows + ranks - 1) / ranks;
  } else if (plan.embedding_plan == EmbeddingPlan::column_wise) {
    shards.columns = columns_of(group.dim);
    shards.width = group.dim / shards.columns;
    shards.count *= shards.columns;
  }
  return shards;
}

/// Seconds a sample of the global batch that one shard costs its owner, up to a common factor.
double cost_of(const TableShards& shards, const Plan& plan, const Cluster& cluster) {
  const double read = shards.pooling * real(shards.width) * storage_bytes(plan.embedding_dtype);
  const double sent = real(shards.width) * wire_bytes(plan.forward_comm_dtype);
  const Network& network = cluster.network;
  const BytesPerSecond wire = cluster.gpus > cluster.gpus_per_node
                                  ? network.inter.exchange.share * network.inter_bandwidth
                                  : network.intra.exchange_share * network.intra_bandwidth;
  return (Bytes{read} / cluster.device.memory_bandwidth + Bytes{sent} / wire).value;
}

/// Classes in the order in which they are filled.
bool fills_before(const RankClass& a, const RankClass& b) {
  return a.load != b.load ? a.load < b.load : a.first < b.first;
}

/// Splits off the first `ranks` ranks of the class in front.
void split_front(std::vector<RankClass>& classes, std::int64_t ranks) {
  RankClass rest = classes.front();
  if (rest.ranks == ranks) {
    return;
  }
  rest.first += ranks;
  rest.ranks -= ranks;
  classes.front().ranks = ranks;
  classes.insert(classes.begin() + 1, rest);
}

/// Moves the class in front to its place after its load has grown.
void sink_front(std::vector<RankClass>& classes) {
  const auto place =
      std::upper_bound(classes.begin() + 1, classes.end(), classes.front(), fills_before);
  std::rotate(classes.begin(), classes.begin() + 1, place);
}

/// Gives `count` shards of `cost` to the least loaded ranks, one after the other.
void place(std::size_t group, std::int64_t count, double cost, std::vector<RankClass>& classes) {
  while (count > 0) {
    // Every rank of the class in front gets as many as keep it in front.
    RankClass& front = classes.front();
    std::int64_t each = 1;
    if (classes.size() == 1) {
      each = std::max<std::int64_t>(1, count / front.ranks);
    } else if (cost > 0.0) {
      each = std::max(
          each, static_cast<std::int64_t>(std::min((classes[1].load - front.load) / cost, 1e9)));
    }
    each = std::max<std::int64_t>(1, std::min(each, count / front.ranks));
    split_front(classes, std::min(front.ranks, count));
    RankClass& filled = classes.front();
    filled.held[group] += static_cast<std::int32_t>(each);
    filled.load += real(each) * cost;
    count -= each * filled.ranks;
    sink_front(classes);
  }
}

}  // namespace

double table_bytes(const TableGroup& group, Dtype dtype) {
  return real(group.rows) * real(group.dim) * storage_bytes(dtype);
}

void shard_tables(const Recommendation& model, const Plan& plan, const Cluster& cluster,
                  TableSharding& sharding) {
  SIM_ASSERT(model.tables.size() <= table_groups_max, model.tables.size());
  sharding.groups = model.tables.size();
  sharding.classes.clear();
  sharding.classes.push_back({.first = 0, .ranks = cluster.gpus});
  std::array<double, table_groups_max> costs{};
  std::array<std::size_t, table_groups_max> order{};
  for (std::size_t i = 0; i < sharding.groups; ++i) {
    sharding.shards[i] = shards_of(model.tables[i], plan, cluster.gpus);
    costs[i] = cost_of(sharding.shards[i], plan, cluster);
    order[i] = i;
  }
  const std::span<std::size_t> costliest_first(order.data(), sharding.groups);
  std::sort(costliest_first.begin(), costliest_first.end(), [&](std::size_t a, std::size_t b) {
    return costs[a] != costs[b] ? costs[a] > costs[b] : a < b;
  });
  for (const std::size_t i : costliest_first) {
    if (sharding.shards[i].layout == TableLayout::whole) {
      place(i, sharding.shards[i].count, costs[i], sharding.classes);
    }
  }
}

}  // namespace cubicbench::sim
