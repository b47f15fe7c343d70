#include "sim/engine/settings_read.h"

#include "sim/plan/split_shape.h"

namespace cubicbench::sim {
namespace {

constexpr Plan defaults{};

/// Whether weights are freed after the forward pass and gathered again.
bool gathers_twice(const Plan& plan) {
  return traits(plan.sharding).reshards && plan.reshard_after_forward != 0;
}

/// What modes leave unread: chunks of schedules that have none of their own, units and groups of
/// shardings without them.
void drop_unread(Plan& plan) {
  const ShardingTraits sharding = traits(plan.sharding);
  if (plan.schedule != Schedule::interleaved) plan.virtual_stages = defaults.virtual_stages;
  if (!sharding.shards_parameters) plan.wrap = defaults.wrap;
  if (!sharding.in_groups) plan.shard_group = defaults.shard_group;
}

}  // namespace

Plan memory_settings(const Plan& plan) {
  Plan read = plan;
  drop_unread(read);
  read.compile = defaults.compile;
  read.async_tensor_parallel = defaults.async_tensor_parallel;
  read.expert_dispatch = defaults.expert_dispatch;
  read.expert_overlap = defaults.expert_overlap;
  const bool prefetches = plan.forward_prefetch || plan.backward_prefetch != BackwardPrefetch::none;
  read.forward_prefetch = prefetches && gathers_twice(plan);
  read.backward_prefetch = BackwardPrefetch::none;
  if (!gathers_twice(plan)) read.limit_all_gathers = defaults.limit_all_gathers;
  return read;
}

Plan time_settings(const Plan& plan) {
  Plan read = plan;
  drop_unread(read);
  read.forward_prefetch = defaults.forward_prefetch;
  read.limit_all_gathers = defaults.limit_all_gathers;
  if (!gathers_twice(plan)) read.backward_prefetch = defaults.backward_prefetch;
  return read;
}

Plan mesh_settings(const Plan& plan) {
  return {.tensor_parallel = plan.tensor_parallel,
          .pipeline_parallel = plan.pipeline_parallel,
          .context_parallel = plan.context_parallel,
          .expert_parallel = plan.expert_parallel,
          .expert_tensor_parallel = plan.expert_tensor_parallel,
          .sharding = plan.sharding,
          .shard_group = plan.shard_group,
          .reshard_after_forward = plan.reshard_after_forward};
}

Plan stage_settings(const Plan& plan) {
  return {.pipeline_parallel = plan.pipeline_parallel,
          .schedule = plan.schedule,
          .virtual_stages = plan.virtual_stages};
}

Plan block_settings(const Plan& plan) {
  const bool splits = splits_backward(plan.schedule);
  return {.tensor_parallel = plan.tensor_parallel,
          .sequence_parallel = plan.sequence_parallel,
          .async_tensor_parallel = plan.async_tensor_parallel,
          .pipeline_parallel = plan.pipeline_parallel,
          .schedule = runs_pairs(plan.schedule) ? Schedule::dualpipev
                      : splits                  ? Schedule::zb_h1
                                                : Schedule::one_f_one_b,
          .context_parallel = plan.context_parallel,
          .expert_parallel = plan.expert_parallel,
          .expert_tensor_parallel = plan.expert_tensor_parallel,
          .expert_dispatch = plan.expert_dispatch,
          .expert_overlap = plan.expert_overlap,
          .expert_storage = plan.expert_storage,
          .expert_cache_thousandths = plan.expert_cache_thousandths,
          .expert_prefetch = plan.expert_prefetch,
          .micro_batch = plan.micro_batch,
          .dtype = plan.dtype,
          .param_dtype = plan.param_dtype,
          .recompute = recomputes_whole_layers(plan) ? Recompute::full : plan.recompute,
          .compile = plan.compile};
}

Plan weight_settings(const Plan& plan) {
  Plan read = mesh_settings(plan);
  read.schedule = plan.schedule;
  read.virtual_stages = plan.virtual_stages;
  read.wrap = plan.wrap;
  read.param_dtype = plan.param_dtype;
  read.reduce_dtype = plan.reduce_dtype;
  return read;
}

}  // namespace cubicbench::sim
