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
  switch (sharding) {
    case Sharding::no_shard:
      return {};
    case Sharding::zero1:
      return {.shards_optimizer = true};
    case Sharding::zero1_hybrid:
      return {.shards_optimizer = true, .in_groups = true};
    case Sharding::shard_grad_op:
      return {.shards_optimizer = true, .shards_gradients = true, .shards_parameters = true};
    case Sharding::full_shard:
      return {.shards_optimizer = true,
              .shards_gradients = true,
              .shards_parameters = true,
              .reshards = true};
    case Sharding::hybrid_shard:
      return {.shards_optimizer = true,
              .shards_gradients = true,
              .shards_parameters = true,
              .reshards = true,
              .in_groups = true};
    case Sharding::hybrid_shard_zero2:
      return {.shards_optimizer = true,
              .shards_gradients = true,
              .shards_parameters = true,
              .in_groups = true};
  }
  return {};
}

constexpr bool shards_in_groups(Sharding sharding) { return traits(sharding).in_groups; }

}  // namespace cubicbench::sim
