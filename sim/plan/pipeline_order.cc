#include "sim/plan/pipeline_order.h"

#include <algorithm>

#include "sim/plan/pipeline_schedule.h"
#include "sim/plan/split_order.h"

namespace cubicbench::sim {
namespace {

/// Pass number `number` among those of one kind: groups of p micro-batches go through the chunks.
PipelinePass numbered(PassKind kind, std::int64_t number, std::int64_t p, std::int64_t v) {
  const std::int64_t group = number / (p * v);
  const std::int64_t chunk = number / p % v;
  return {.kind = kind,
          .micro_batch = static_cast<std::int32_t>(group * p + number % p),
          .chunk = static_cast<std::int32_t>(kind == PassKind::forward ? chunk : v - 1 - chunk)};
}

/// Forward passes before the first backward pass follows on one.
std::int64_t warm_up(const Plan& plan, std::int64_t passes, std::int64_t stage) {
  const std::int64_t p = plan.pipeline_parallel;
  const ScheduleTraits schedule = traits(plan.schedule);
  if (schedule.forward_first) return passes;
  return schedule.chunks == StageChunks::in_a_round
             ? std::min(passes, 2 * (p - stage - 1) + (chunks_per_stage(plan) - 1) * p)
             : std::min(passes, p - stage - 1);
}

/// Of a pipeline with split backward passes. DualPipe's second half of micro-batches enters at the
/// last stage.
std::vector<PipelinePass> split_stage_order(const Plan& plan, std::int64_t micro_batches,
                                            std::int64_t stage) {
  const SplitShape shape = split_shape(plan, micro_batches);
  const std::int64_t at = shape_stage(plan, stage);
  std::vector<SequencedPass> sequence;
  SplitOrderWriter().write(shape, sequence);
  std::vector<PipelinePass> order;
  for (const SequencedPass& one : sequence) {
    if (one.stage != at) continue;
    order.push_back(one.pass);
    const bool enters_last = (at != stage) != (one.pass.chunk != 0);
    if (traits(plan.schedule).both_ways && enters_last) {
      order.back().micro_batch += static_cast<std::int32_t>(shape.micro_batches);
    }
  }
  return order;
}

}  // namespace

std::vector<PipelinePass> pipeline_order(const Plan& plan, std::int64_t micro_batches,
                                         std::int64_t stage) {
  if (splits_backward(plan.schedule)) return split_stage_order(plan, micro_batches, stage);
  const std::int64_t v = chunks_per_stage(plan);
  // Without chunks the grouping changes nothing: pass k is of micro-batch k.
  const std::int64_t p = v == 1 ? 1 : plan.pipeline_parallel;
  const std::int64_t passes = micro_batches * v;
  const std::int64_t ahead = warm_up(plan, passes, stage);
  std::vector<PipelinePass> order;
  order.reserve(static_cast<std::size_t>(2 * passes));
  for (std::int64_t number = 0; number < passes + ahead; ++number) {
    if (number < passes) order.push_back(numbered(PassKind::forward, number, p, v));
    if (number >= ahead) order.push_back(numbered(PassKind::backward, number - ahead, p, v));
  }
  return order;
}

}  // namespace cubicbench::sim
