#pragma once

#include <cstddef>

#include "sim/plan/table_sharding.h"

namespace cubicbench::sim {

/// What a sharding costs before anything is placed, in seconds a sample. Lookups of all ranks end
/// before exchanges begin: each has fullest ranks of its own.
struct TableBalance {
  double shared = 0.0;  ///< what every rank pays for tables that are not placed
  double read = 0.0;    ///< of placed shards, summed over ranks
  double wire = 0.0;
  double largest_read = 0.0;
  double largest_wire = 0.0;

  /// The least that any placement on so many ranks costs: fair shares, or the largest shards.
  double least(double ranks) const;
};

/// Adds the shards of one group `sign` times, not to the largest.
void add_group(std::size_t group, double sign, const TableSharding& sharding, TableBalance& sum);

/// Of all groups, by their costs.
TableBalance balance_of(const TableSharding& sharding);

}  // namespace cubicbench::sim
