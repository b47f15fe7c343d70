#pragma once

#include "sim/plan/shard_cost.h"
#include "sim/plan/table_sharding.h"

namespace cubicbench::sim {

/// Where plans that cut all tables alike cost less than what is placed in `sharding`, or fit where
/// that does not, takes the cheapest of them: TorchRec's planner partitions proposals of both kinds
/// and keeps the best [TorchRec, planner, proposers]. The greedy search counts fair shares, which
/// few large shards miss by up to one of them. Cost: what all ranks pay, and the busiest besides.
void prefer_uniform(const Recommendation& model, const Plan& plan, const ShardRates& rates,
                    double room, TableSharding& sharding);

}  // namespace cubicbench::sim
