#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/remembered.h"
#include "sim/base/units.h"
#include "sim/hardware/cluster.h"
#include "sim/plan/plan.h"
#include "sim/plan/table_sharding.h"
#include "sim/workload/recommendation.h"

namespace cubicbench::sim {

/// All that shard_tables() reads of a plan.
using ShardingKey = std::array<std::uint64_t, 3>;
ShardingKey sharding_key(const Plan& plan);

/// What shard_tables() says of one model on one cluster, kept by what it reads. Beside how many
/// bytes tables are placed seldom matters: what is the same is kept once, under one number.
///
/// Memory is bounded: what does not fit is forgotten. Both must outlive it. Not to be shared by
/// threads.
class PlacedTables {
 public:
  struct Placing {
    std::uint64_t number = 0;  ///< of no other placing, nor of one that was forgotten; above 0
    TableSharding tables;      ///< without scratch
  };

  PlacedTables(const Recommendation& model, const Cluster& cluster)
      : model_(model), cluster_(cluster) {}

  /// Requires check_tables(plan, cluster) to pass. Good until the next call.
  const Placing& of(const Plan& plan, Bytes resident);

 private:
  /// Those of plans of one key.
  struct Placings {
    struct Resident {
      Bytes bytes;
      std::size_t placing = 0;  ///< its row
    };
    std::vector<Placing> all;
    std::vector<Resident> residents;
  };

  std::size_t row_of_planned(Placings& placings);

  // A few hundred bytes a table group each.
  static constexpr std::size_t keys_max = 8192;
  static constexpr std::size_t residents_max = 128;

  const Recommendation& model_;
  const Cluster& cluster_;
  TableSharding planned_;
  std::uint64_t numbers_ = 0;  ///< that were given
  RememberedHalves<ShardingKey, Placings> placings_{keys_max};
};

}  // namespace cubicbench::sim
