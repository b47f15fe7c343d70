#include "sim/plan/shard_cost.h"

#include <algorithm>

#include "sim/base/units.h"

namespace cubicbench::sim {
namespace {

constexpr double passes = 3.0;  // a lookup, and its backward pass

/// Of one shard, on all ranks that hold a part of it. Rows that a cache lacks come from the host
/// and go back there.
double time_read(const TableShards& shards, const ShardRates& rates) {
  const double read =
      row_penalty(shards) * shards.pooling * row_width(shards) * shards.element_bytes;
  if (shards.kernel == EmbeddingKernel::uvm) return passes * read * rates.host;
  const double missed = shards.kernel == EmbeddingKernel::fused ? 0.0 : 2.0 * shards.misses * read;
  return passes * read * rates.memory + missed * rates.host;
}

/// Of the exchanges of rows and gradients.
double time_sent(const TableShards& shards, const Plan& plan, const ShardRates& rates,
                 const TableSharding& sharding) {
  const double sent = output_width(shards) *
                      (wire_bytes(plan.forward_comm_dtype) + wire_bytes(plan.backward_comm_dtype));
  const double w = real(sharding.ranks);
  const double r = real(sharding.node_ranks);
  switch (shards.layout) {
    case TableLayout::whole:
      return sent * rates.exchange;
    case TableLayout::by_node_rows:
      return sent * rates.node_reduce + (w > r ? sent / r * rates.exchange : 0.0);
    case TableLayout::by_rows:
      return shards.pooled ? sent * rates.reduce : sent / w * rates.exchange;
    case TableLayout::replicated:
      return 0.0;
  }
  return 0.0;
}

}  // namespace

ShardRates shard_rates(const Cluster& cluster, const TableSharding& sharding) {
  const Network& network = cluster.network;
  const double intra = network.intra.exchange_share * network.intra_bandwidth.value;
  const double inter = network.inter.exchange.share * network.inter_bandwidth.value;
  const bool spans_nodes = sharding.ranks > sharding.node_ranks;
  ShardRates rates{.memory = 1.0 / cluster.device.memory_bandwidth.value,
                   .host = 1.0 / cluster.device.host_bandwidth.value,
                   .exchange = 1.0 / (spans_nodes ? inter : intra),
                   .node_reduce = 1.0 / intra,
                   .reduce = 1.0 / intra};
  // A ring passes every byte over each boundary of nodes once, shared by a node's adapters.
  if (spans_nodes) rates.reduce = 1.0 / (inter * real(sharding.node_ranks));
  return rates;
}

void weigh(std::size_t group, const Plan& plan, const ShardRates& rates, TableSharding& sharding) {
  const TableShards& shards = sharding.shards[group];
  const double read = time_read(shards, rates) / real(shard_ranks(shards.layout, sharding));
  sharding.costs_read[group] = read;
  sharding.costs[group] = read + time_sent(shards, plan, rates, sharding);
}

double TableBalance::least(double ranks) const {
  return shared + std::max(read / ranks, largest_read) + std::max(wire / ranks, largest_wire);
}

void add_group(std::size_t group, double sign, const TableSharding& sharding, TableBalance& sum) {
  const TableShards& shards = sharding.shards[group];
  const double count = sign * real(shards.count);
  if (!is_placed(shards)) {
    sum.shared += count * sharding.costs[group];
    return;
  }
  const bool on_node = shards.layout == TableLayout::by_node_rows;
  const double times = count * (on_node ? real(sharding.node_ranks) : 1.0);
  const double read = sharding.costs_read[group];
  sum.read += times * read;
  sum.wire += times * (sharding.costs[group] - read);
}

TableBalance balance_of(const TableSharding& sharding) {
  TableBalance sum;
  for (std::size_t i = 0; i < sharding.shards.size(); ++i) {
    add_group(i, 1.0, sharding, sum);
    if (!is_placed(sharding.shards[i])) continue;
    const double read = sharding.costs_read[i];
    sum.largest_read = std::max(sum.largest_read, read);
    sum.largest_wire = std::max(sum.largest_wire, sharding.costs[i] - read);
  }
  return sum;
}

}  // namespace cubicbench::sim
