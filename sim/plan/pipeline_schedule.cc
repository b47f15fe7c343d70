#include "sim/plan/pipeline_schedule.h"

#include <algorithm>

namespace cubicbench::sim {

std::int64_t chunks_per_stage(const Plan& plan) {
  return plan.schedule == Schedule::interleaved ? plan.virtual_stages : 1;
}

namespace {

/// Layers of the stages before `stage` when stages are balanced by cost: the fewest whose weights
/// reach stage / p of all layers and the head.
std::int64_t layers_before(const Transformer& model, std::int64_t stage, std::int64_t p) {
  const std::int64_t heads = 2 * (model.attention_heads + model.kv_heads) * model.head_size;
  const std::int64_t layer = model.hidden * (heads + (model.gated_ffn ? 3 : 2) * model.ffn_hidden);
  const std::int64_t all = model.layers * layer + model.vocabulary * model.hidden;
  const std::int64_t share = p * layer;  // in units of 1 / p
  return std::min(model.layers, (stage * all + share - 1) / share);
}

bool ends_count(const Plan& plan, const Transformer& model, StageBalance balance) {
  if (balance != StageBalance::even_or_ends_short) return balance == StageBalance::ends_short;
  const std::int64_t chunks = plan.pipeline_parallel * chunks_per_stage(plan);
  return model.layers % chunks != 0 && (model.layers + 2) % chunks == 0;
}

}  // namespace

std::int64_t stage_layers(const Plan& plan, const Transformer& model, StageBalance balance,
                          std::int64_t stage) {
  const std::int64_t p = plan.pipeline_parallel;
  if (balance == StageBalance::by_cost) {
    const std::int64_t end = stage + 1 == p ? model.layers : layers_before(model, stage + 1, p);
    return end - layers_before(model, stage, p);
  }
  // Embedding and head stand in for a layer each, unless that would empty an end stage.
  const bool ends_short = ends_count(plan, model, balance) && p > 1 && model.layers + 2 >= 2 * p;
  const std::int64_t blocks = model.layers + (ends_short ? 2 : 0);
  const std::int64_t remainder = blocks % p;
  // The remainder goes to the middle when the ends carry more, else to the front.
  const std::int64_t first = ends_short ? (p - remainder) / 2 : 0;
  const bool extra = stage >= first && stage < first + remainder;
  const bool at_end = stage == 0 || stage == p - 1;
  return blocks / p + (extra ? 1 : 0) - (ends_short && at_end ? 1 : 0);
}

double in_flight(const Plan& plan, std::int64_t micro_batches, std::int64_t stage) {
  const std::int64_t p = plan.pipeline_parallel;
  const std::int64_t v = chunks_per_stage(plan);
  switch (plan.schedule) {
    case Schedule::gpipe:
      return static_cast<double>(micro_batches);
    case Schedule::interleaved:
      return static_cast<double>(
                 std::min(v * micro_batches, 2 * (p - stage - 1) + (v - 1) * p + 1)) /
             static_cast<double>(v);
    default:
      return static_cast<double>(std::min(micro_batches, p - stage));
  }
}

}  // namespace cubicbench::sim
