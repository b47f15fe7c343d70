#include "sim/program/weight_schedule.h"

namespace cubicbench::sim {
namespace {

using enum WeightAction;

constexpr WeightEvent only_if(bool condition, WeightEvent event) {
  return condition ? event : WeightEvent{};
}

/// A gather of the next unit is issued before this one is computed (backward_prefetch = pre),
/// after that and before its reduction (post), or when it is needed (none): behind the reduction
/// on the same stream, so that the pass waits for both [FSDP23, section 3.3.2].
UnitOrder backward_order(bool gathers, bool frees, const Plan& plan) {
  const auto gathers_at = [&](BackwardPrefetch when) {
    return gathers && plan.backward_prefetch == when;
  };
  const bool reduces = !splits_backward(plan.schedule);
  const bool waits = gathers_at(BackwardPrefetch::none);
  return {
      .before = {only_if(waits, {gather}), only_if(gathers, {await}),
                 only_if(gathers_at(BackwardPrefetch::pre), {gather, 1}),
                 only_if(reduces, {reduce_ends, 0, waits})},
      .behind = {only_if(frees, {free}), only_if(gathers_at(BackwardPrefetch::post), {gather, 1}),
                 only_if(reduces, {reduce, 0, waits})}};
}

}  // namespace

WeightSchedule weight_schedule(Sharding sharding, const Plan& plan) {
  const ShardingTraits mode = traits(sharding);
  const bool twice = gathers_twice(sharding, plan);
  // A pipeline stage keeps its weights until the last micro-batch [Llama3, section 3.3.2].
  const bool each_pass = twice || (mode.shards_parameters && plan.pipeline_parallel == 1 &&
                                   !plan.accumulate_without_sync);
  const bool once = mode.shards_optimizer && !each_pass;
  const bool splits = splits_backward(plan.schedule);
  return {
      .step = {only_if(once, {gather})},
      .forward = {.before = {only_if(once || each_pass, {await}), only_if(each_pass, {gather, 1})},
                  .behind = {only_if(twice, {free})}},
      .backward = backward_order(twice, each_pass, plan),
      .weight_gradients = {.before = {only_if(splits, {reduce_ends})},
                           .behind = {only_if(splits, {reduce})}},
      .awaited = plan.accumulate_without_sync ? ReductionsAwaited::in_each_step
                 : mode.shards_parameters     ? ReductionsAwaited::in_each_pass
                                              : ReductionsAwaited::behind_each_pass,
      .held_forward = plan.forward_prefetch,
      .held_backward = plan.backward_prefetch != BackwardPrefetch::none,
      .freed_late = !plan.limit_all_gathers};
}

}  // namespace cubicbench::sim
