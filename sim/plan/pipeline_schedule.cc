#include "sim/plan/pipeline_schedule.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/base/units.h"
#include "sim/plan/split_shape.h"
#include "sim/plan/v_order.h"

namespace cubicbench::sim {
namespace {

/// Two chunks a stage, of which the first stage of a V has both ends of the model.
bool is_v(const Plan& plan) { return traits(plan.schedule).chunks == StageChunks::in_a_v; }

/// Weights of one layer that a token uses, and of all that follows the last layer: passes over the
/// head and layers that predict.
std::int64_t used_weights(const Transformer& model, LayerKind kind) {
  const bool plain = kind.mixer == Mixer::attention || kind.mixer == Mixer::window;
  if (!has_experts(model) && plain && kind.ffn == FeedForward::dense) {
    const std::int64_t heads = 2 * (model.attention_heads + model.kv_heads) * model.head_size;
    return model.hidden * (heads + (model.gated_ffn ? 3 : 2) * model.ffn_hidden);
  }
  return std::llround(layer_parameters(model, kind, real(model.experts.per_token)));
}

std::int64_t weights_after_layers(const Transformer& model) {
  const std::int64_t head = model.vocabulary * model.hidden;
  if (model.prediction_layers == 0) return head;
  const LayerKind last = layer_kinds(model).list[kind_of_prediction(model)];
  return head + model.prediction_layers * (head + used_weights(model, last)) +
         std::llround(prediction_parameters(model));
}

/// Layers of the stages before `stage` when stages are balanced by cost: the fewest whose weights
/// reach stage / p of all layers and the head.
std::int64_t layers_before(const Transformer& model, std::int64_t stage, std::int64_t p) {
  const LayerKinds kinds = layer_kinds(model);
  PerKind<std::int64_t> weights{};
  for (std::size_t i = 0; i < kinds.count; ++i) weights[i] = used_weights(model, kinds.list[i]);
  if (kinds.count == 1) {
    const std::int64_t all = model.layers * weights[0] + weights_after_layers(model);
    const std::int64_t share = p * weights[0];  // in units of 1 / p
    return std::min(model.layers, (stage * all + share - 1) / share);
  }
  const auto of_layers = [&](std::int64_t layers) {
    const PerKind<std::int64_t> counts = kinds_among(model, layers);
    return std::inner_product(counts.begin(), counts.end(), weights.begin(), std::int64_t{0});
  };
  const std::int64_t all = of_layers(model.layers) + weights_after_layers(model);
  std::int64_t least = 0;
  for (std::int64_t most = model.layers; least < most;) {
    const std::int64_t middle = (least + most) / 2;
    const bool falls_short = p * of_layers(middle) < stage * all;
    falls_short ? least = middle + 1 : most = middle;
  }
  return least;
}

bool is_even_where_it_can(StageBalance balance) {
  return balance == StageBalance::even_or_ends_short || balance == StageBalance::even_or_front_full;
}

/// Pieces that frameworks count layers for: `positions` or, of interleaved stages, their chunks.
bool ends_count(const Transformer& model, StageBalance balance, std::int64_t pieces) {
  if (!is_even_where_it_can(balance)) return balance == StageBalance::ends_short;
  return model.layers % pieces != 0 && (model.layers + 2) % pieces == 0;
}

/// Layers of every stage but the last where chunks are filled from the front; 0 where layers divide
/// otherwise, or would leave nothing to the last stage.
std::int64_t front_layers(const Transformer& model, StageBalance balance, std::int64_t p,
                          std::int64_t chunks) {
  const std::int64_t pieces = p * chunks;
  if (balance != StageBalance::even_or_front_full || model.layers % pieces == 0 ||
      (model.layers + 2) % pieces == 0) {
    return 0;
  }
  const std::int64_t all = model.layers + model.prediction_layers + 1;
  const std::int64_t layers = (all + pieces - 1) / pieces * chunks;
  return layers * (p - 1) < model.layers ? layers : 0;
}

/// Layers at `position` of `p` in the model, where each position is a stage or a chunk of a V.
std::int64_t layers_at(const Transformer& model, StageBalance balance, std::int64_t position,
                       std::int64_t p, std::int64_t chunks) {
  if (balance == StageBalance::by_cost) {
    const std::int64_t end =
        position + 1 == p ? model.layers : layers_before(model, position + 1, p);
    return end - layers_before(model, position, p);
  }
  if (const std::int64_t front = front_layers(model, balance, p, chunks)) {
    return position + 1 == p ? model.layers - front * (p - 1) : front;
  }
  // Embedding and head stand in for a layer each, unless that would empty an end stage.
  const bool ends_short =
      ends_count(model, balance, p * chunks) && p > 1 && model.layers + 2 >= 2 * p;
  const std::int64_t blocks = model.layers + (ends_short ? 2 : 0);
  const std::int64_t remainder = blocks % p;
  // The remainder goes to the middle when the ends carry more, else to the front.
  const std::int64_t first = ends_short ? (p - remainder) / 2 : 0;
  const bool extra = position >= first && position < first + remainder;
  const bool at_end = position == 0 || position == p - 1;
  return blocks / p + (extra ? 1 : 0) - (ends_short && at_end ? 1 : 0);
}

/// Where the model passes a chunk of a stage, of how many such places.
struct ChunkPlace {
  std::int64_t position;
  std::int64_t positions;
};

ChunkPlace place_of(const Plan& plan, std::int64_t stage, std::int64_t chunk) {
  const SplitShape shape = split_shape(plan, 1);
  const std::int64_t positions = shape.stages * shape.chunks();
  const std::int64_t at = shape_stage(plan, stage);
  return {chunk == 0 ? at : positions - 1 - at, positions};
}

}  // namespace

std::int64_t chunks_per_stage(const Plan& plan) {
  const StageChunks chunks = traits(plan.schedule).chunks;
  return chunks == StageChunks::one ? 1 : chunks == StageChunks::in_a_v ? 2 : plan.virtual_stages;
}

bool stage_has_embedding(const Plan& plan, std::int64_t stage) {
  return stage == 0 || (is_v(plan) && shape_stage(plan, stage) == 0);
}

bool stage_has_head(const Plan& plan, std::int64_t stage) {
  return is_v(plan) ? shape_stage(plan, stage) == 0 : stage == plan.pipeline_parallel - 1;
}

std::int64_t layers_before_chunk(const Plan& plan, const Transformer& model, StageBalance balance,
                                 std::int64_t stage, std::int64_t chunk) {
  const auto [position, positions] = place_of(plan, stage, chunk);
  if (balance == StageBalance::by_cost) return layers_before(model, position, positions);
  std::int64_t layers = 0;
  for (std::int64_t i = 0; i < position; ++i) layers += layers_at(model, balance, i, positions, 1);
  return layers;
}

std::int64_t chunk_layers(const Plan& plan, const Transformer& model, StageBalance balance,
                          std::int64_t stage, std::int64_t chunk) {
  const auto [position, positions] = place_of(plan, stage, chunk);
  return layers_at(model, balance, position, positions, 1);
}

std::int64_t stage_layers(const Plan& plan, const Transformer& model, StageBalance balance,
                          std::int64_t stage) {
  if (splits_backward(plan.schedule)) {
    std::int64_t layers = 0;
    for (std::int64_t chunk = 0; chunk < chunks_per_stage(plan); ++chunk) {
      layers += chunk_layers(plan, model, balance, stage, chunk);
    }
    return layers;
  }
  return layers_at(model, balance, stage, plan.pipeline_parallel, chunks_per_stage(plan));
}

double in_flight(const Plan& plan, std::int64_t micro_batches, std::int64_t stage) {
  const std::int64_t p = plan.pipeline_parallel;
  const std::int64_t v = chunks_per_stage(plan);
  const auto at_most = [&](std::int64_t kept) {
    return static_cast<double>(std::min(micro_batches, kept));
  };
  switch (plan.schedule) {
    case Schedule::gpipe:
      return static_cast<double>(micro_batches);
    case Schedule::one_f_one_b:
      return at_most(p - stage);
    case Schedule::interleaved:
      return static_cast<double>(
                 std::min(v * micro_batches, 2 * (p - stage - 1) + (v - 1) * p + 1)) /
             static_cast<double>(v);
    case Schedule::zb_h1:
    case Schedule::zb_v:
      return at_most(p);
    case Schedule::zb_h2:
      return at_most(2 * p - 1);
    case Schedule::v_half:
    case Schedule::v_min:
      return at_most(v_kept_max(plan.schedule, p) / 2);
    case Schedule::dualpipe:
    case Schedule::dualpipev:
      return static_cast<double>(2 * split_shape(plan, micro_batches).stages + 1) / 2.0;
  }
  return 0.0;
}

}  // namespace cubicbench::sim
