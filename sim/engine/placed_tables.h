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
/// bytes tables are placed seldom matters: it is asked once for all that change no decision, and
/// what is the same is kept once, under one number.
///
/// Memory is bounded: what does not fit is forgotten. Both must outlive it. Not to be shared by
/// threads.
class PlacedTables {
 public:
  struct Placing {
    std::uint64_t number = 0;               ///< of no other, nor of one that was forgotten
    const TableSharding* tables = nullptr;  ///< without scratch
  };

  PlacedTables(const Recommendation& model, const Cluster& cluster)
      : model_(model), cluster_(cluster) {}

  /// Number 0 and no tables where check_tables(plan, cluster) refuses. Good until the next call.
  Placing of(const Plan& plan, Bytes resident);

 private:
  struct Kept {
    std::uint64_t number = 0;
    TableSharding tables;
  };
  /// Those of plans of one key.
  struct Placings {
    /// Beside how many bytes tables are placed alike.
    struct Range {
      Bytes least;
      Bytes most;
      std::size_t row = 0;  ///< of `all`
      std::uint64_t number = 0;

      bool has(Bytes resident) const { return least <= resident && resident <= most; }
    };
    bool refused = false;
    Range latest{.least = Bytes{1.0}, .most = Bytes{0.0}};
    std::vector<Kept> all;
    std::vector<Range> ranges;
  };

  Placings::Range range_of(Placings& placings, const Plan& plan, Bytes resident);
  Placings::Range planned(Placings& placings, const Plan& plan, Bytes resident);
  std::size_t row_of_planned(Placings& placings);

  // A few hundred bytes a table group each.
  static constexpr std::size_t keys_max = 8192;
  static constexpr std::size_t ranges_max = 128;

  const Recommendation& model_;
  const Cluster& cluster_;
  TableSharding planned_;
  std::uint64_t numbers_ = 0;  ///< that were given
  RememberedHalves<ShardingKey, Placings> placings_{keys_max};
};

}  // namespace cubicbench::sim
