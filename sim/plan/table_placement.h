#pragma once

#include "sim/plan/table_sharding.h"

namespace cubicbench::sim {

/// Fills `classes` and `held` of `sharding`, all else being there: gives every placed shard to the
/// least loaded rank or node with `room` bytes for it, those of the costliest group first, parts
/// that take whole nodes before those that take a rank.
void place_tables(const Plan& plan, double room, TableSharding& sharding);

/// What tables by rows leave of `room` bytes.
double placed_room(const Plan& plan, double room, const TableSharding& sharding);

}  // namespace cubicbench::sim
