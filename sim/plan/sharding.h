#pragma once

namespace cubicbench::sim {

enum class Sharding {
  no_shard,
  zero1,
  zero1_hybrid,
  shard_grad_op,
  full_shard,
  hybrid_shard,
  hybrid_shard_zero2
};

/// What a sharding mode does, so that nothing else asks for a mode by name
/// [FSDP23, section 3.2; ZeRO19, sections 5.1 to 5.3].
struct ShardingTraits {
  bool shards_optimizer = false;   ///< ZeRO-1 and up
  bool shards_gradients = false;   ///< ZeRO-2 and up
  bool shards_parameters = false;  ///< between steps; gathered for compute
  bool reshards = false;           ///< weights are freed after forward and gathered again
  bool in_groups = false;          ///< shards inside a group, replicates across groups
};

constexpr ShardingTraits resharding(ShardingTraits mode) {
  mode.reshards = true;
  return mode;
}
constexpr ShardingTraits in_groups(ShardingTraits mode) {
  mode.in_groups = true;
  return mode;
}

constexpr ShardingTraits traits(Sharding sharding) {
  constexpr ShardingTraits zero1{.shards_optimizer = true};
  constexpr ShardingTraits fsdp{
      .shards_optimizer = true, .shards_gradients = true, .shards_parameters = true};
  switch (sharding) {
    case Sharding::no_shard:
      return {};
    case Sharding::zero1:
      return zero1;
    case Sharding::zero1_hybrid:
      return in_groups(zero1);
    case Sharding::shard_grad_op:
      return fsdp;
    case Sharding::full_shard:
      return resharding(fsdp);
    case Sharding::hybrid_shard:
      return in_groups(resharding(fsdp));
    case Sharding::hybrid_shard_zero2:
      return in_groups(fsdp);
  }
  return {};
}

constexpr bool shards_in_groups(Sharding sharding) { return traits(sharding).in_groups; }

}  // namespace cubicbench::sim
