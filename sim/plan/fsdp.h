#pragma once

#include "sim/plan/plan.h"

namespace cubicbench::sim {

/// What a sharding mode does, so that nothing else asks for a mode by name
/// [FSDP23, section 3.2; ZeRO19, sections 5.1 to 5.3].
struct ShardingTraits {
  bool shards_optimizer = false;   ///< ZeRO-1 and up
  bool shards_gradients = false;   ///< ZeRO-2 and up
  bool shards_parameters = false;  ///< between steps; gathered for compute
  bool reshards = false;           ///< weights are freed after forward and gathered again
  bool in_groups = false;          ///< shards inside a group, replicates across groups
};

constexpr ShardingTraits traits(Sharding sharding) {
  const bool hybrid = sharding == Sharding::hybrid_shard;
  const bool hybrid_zero2 = sharding == Sharding::hybrid_shard_zero2;
  const bool full = sharding == Sharding::full_shard;
  const bool fsdp = full || hybrid || hybrid_zero2 || sharding == Sharding::shard_grad_op;
  return {.shards_optimizer = sharding != Sharding::no_shard,
          .shards_gradients = fsdp,
          .shards_parameters = fsdp,
          .reshards = full || hybrid,
          .in_groups = hybrid || hybrid_zero2 || sharding == Sharding::zero1_hybrid};
}

constexpr bool shards_in_groups(Sharding sharding) { return traits(sharding).in_groups; }

}  // namespace cubicbench::sim
