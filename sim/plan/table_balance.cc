#include "sim/plan/table_balance.h"

#include <algorithm>

#include "sim/base/real.h"

namespace cubicbench::sim {

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
