#pragma once

#include "sim/plan/shard_cost.h"
#include "sim/plan/table_sharding.h"

namespace cubicbench::sim {

/// A way to cut the tables of a group.
struct Cut {
  TableLayout layout = TableLayout::whole;
  bool by_columns = false;
  std::int64_t parts = 1;  ///< of the rows, each looked up and sent as if it were a table
};

TableShards shards_of(const TableGroup& group, const Cut& cut, const Plan& plan,
                      const TableSharding& sharding);

/// The planner: chooses how each group that is not replicated is cut, and fills `shards` and
/// `costs` of `sharding`.
///
/// All tables begin whole. As long as one placed shard weighs more than a rank's fair share, its
/// group is cut to what makes the larger of the two least: by columns, to parts on several ranks,
/// by rows within a node or several. Then the heaviest are cut by rows over all ranks as long as
/// that, which every rank pays for, is less than what it saves. A shard that is larger than `room`
/// bytes is cut whatever it costs.
void plan_tables(const Recommendation& model, const Plan& plan, const ShardRates& rates,
                 double room, TableSharding& sharding);

/// Where plans that cut all tables alike cost less than what is placed in `sharding`, or fit where
/// that does not, takes the cheapest of them: TorchRec's planner partitions proposals of both kinds
/// and keeps the best [TorchRec, planner, proposers]. The greedy search counts fair shares, which
/// few large shards miss by up to one of them. Cost: what all ranks pay, and the busiest besides.
void prefer_uniform(const Recommendation& model, const Plan& plan, const ShardRates& rates,
                    double room, TableSharding& sharding);

}  // namespace cubicbench::sim
