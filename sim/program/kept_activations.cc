#include "sim/program/kept_activations.h"

#include <algorithm>

#include "sim/base/units.h"
#include "sim/program/expert_share.h"

namespace cubicbench::sim {
namespace {

/// What a layer's FFN keeps, and by what ranks share it.
struct FfnKept {
  double width = 0.0;       ///< of the FFN that every token passes; 0: none
  double per_token = 0.0;   ///< bytes a token of routed copies, all ranks of the tensor group
  double copies = 0.0;      ///< routed copies a token, the same
  double copy_width = 0.0;  ///< of an expert
  bool has_input = true;    ///< a product reads the second norm as it is
};

double kept_per_ffn(const Transformer& model, const Stack& stack) {
  return model.gated_ffn ? stack.kept_per_ffn : stack.kept_per_ffn_plain;
}

/// Of each copy its inputs and outputs, and the inner tensors of its expert; of each score and the
/// weight that it becomes 4 bytes. Ranks that share an expert gather its inputs.
FfnKept kept_by_experts(const Transformer& model, const Plan& plan, const Stack& stack) {
  const Experts& experts = model.experts;
  const ExpertShare share = expert_share(model, plan);
  const double copies = real(experts.per_token) * share.load;
  const double gathered = 0.5 * (1.0 + real(plan.expert_tensor_parallel));
  const double width = real(experts.ffn_hidden);
  FfnKept kept{
      .width = real(experts.shared_ffn_hidden),
      .per_token = copies * (gathered * stack.kept_per_routed * real(expert_hidden(model)) +
                             kept_per_ffn(model, stack) * width) +
                   8.0 * real(experts.count) + 4.0 * real(experts.latent_size),
      .copies = copies,
      .copy_width = width,
      .has_input = experts.shared_ffn_hidden > 0 || experts.latent_size > 0};
  if (stack.einsum_dispatch) kept.per_token += 2.0 * 2.0 * share.copies;  // two one-hot masks
  return kept;
}

/// Width of what a scan takes in and returns, all ranks of the tensor group.
double inner_of(const Transformer& model) {
  return real(model.state_space.heads * model.state_space.head_size);
}

/// What quantised inputs save a token, over 16 bits: those of the projections that read a norm and
/// of the FFN's second product are kept in fewer bits; attention keeps its output in 16 bits all
/// the same, so that the output projection's input is kept once more.
double saved_by_quantising(const Transformer& model, const Plan& plan, const Stack& stack,
                           const FfnKept& ffn, Mixer mixer) {
  if (!stack.keeps_quantised || !is_quantised(plan.dtype)) return 0.0;
  const double kept = wire_bytes(plan.dtype);
  const double h = real(model.hidden);
  const double norms = (ffn.has_input ? 1.0 : 0.0) + (mixer == Mixer::none ? 0.0 : 1.0);
  const double inputs = norms * h + (mixer == Mixer::scan ? inner_of(model) : 0.0);
  const double twice = traits(mixer).attends ? kept * h : 0.0;
  return (2.0 - kept) *
             (inputs + ffn.width + ffn.copies * (real(expert_hidden(model)) + ffn.copy_width)) -
         twice;
}

/// What a scan keeps: what the first projection returns, what the scan returns and, normed, what
/// the second one reads; convolution and states are computed again [Mamba-SSM, ssd_combined.py].
double kept_by_scan(const Transformer& model) {
  const StateSpace& space = model.state_space;
  const double inner = inner_of(model);
  const double projected =
      2.0 * inner + 2.0 * real(space.groups * space.state_size) + real(space.heads);
  return 2.0 * (projected + 2.0 * inner) + 4.0 * real(space.groups);
}

/// Of width h, without what attention keeps beyond its norm where a layer does not attend.
double kept_per_hidden(const Stack& stack, LayerKind kind) {
  const double norm = 0.5 * stack.kept_per_hidden_whole;
  double kept = stack.kept_per_hidden;
  if (!traits(kind.mixer).attends) kept = stack.kept_per_hidden_whole;
  if (kind.mixer == Mixer::none) kept -= norm;
  if (kind.ffn == FeedForward::none) kept -= norm;
  return kept;
}

/// What latent attention keeps beyond what attention keeps of width h: not queries and outputs of
/// that width (and keys and values where they are counted in it), but the latent vectors and their
/// norms, and queries, keys, values and outputs as they expand [DeepSeekV2, section 2.1].
double kept_by_latent(const Transformer& model, const Stack& stack, bool expanded) {
  const LatentAttention& latent = model.latent;
  const double a = real(model.attention_heads);
  const double narrow = real(2 * (latent.query_rank + latent.key_rank) + latent.rope_size);
  const double keys = expanded ? 2.0 * a * real(model.head_size) : 0.0;
  const double values = a * real(latent.value_size);
  const double counted = (stack.kept_per_kv > 0.0 ? 4.0 : 8.0) * real(model.hidden);
  return 2.0 * (narrow + keys + (expanded ? 2.0 : 1.0) * values) - counted;
}

/// Of width h: attention keeps its output of other heads beside the input of the output projection.
double kept_by_exchange(const Plan& plan, const Stack& stack) {
  const double kept = stack.kept_per_hidden_context;
  return plan.ulysses_degree > 1 ? std::max(kept, 2.0) : kept;
}

/// Everything: projections and FFN divided by t; norm inputs and outputs only with sequence
/// parallelism, without it they stay whole [Korthikanti22, section 4.2]. `expanded`: latent vectors
/// are kept as they expand.
double kept_by_whole_layer(const Transformer& model, const Plan& plan, const Stack& stack,
                           const FfnKept& ffn, LayerKind kind, bool expanded) {
  const double t = real(plan.tensor_parallel);
  const double h = real(model.hidden);
  const bool attends = traits(kind.mixer).attends;
  const bool latent = kind.mixer == Mixer::latent_attention;
  // Ranks share the heads; of fewer key heads than ranks each has one.
  const double sharing = t * real(plan.ulysses_degree);
  const double keys =
      latent || !attends ? 0.0 : std::max(sharing, real(model.kv_heads)) * real(model.head_size);
  const bool exchanges = attends && plan.context_parallel > 1;
  const double split = kept_per_hidden(stack, kind) * h + stack.kept_per_kv * keys +
                       kept_per_ffn(model, stack) * ffn.width +
                       (attends ? 4.0 * real(model.attention_heads) : 0.0) +
                       (exchanges ? kept_by_exchange(plan, stack) * h : 0.0) -
                       saved_by_quantising(model, plan, stack, ffn, kind.mixer) +
                       (latent ? kept_by_latent(model, stack, expanded) : 0.0) +
                       (kind.mixer == Mixer::scan ? kept_by_scan(model) : 0.0) + ffn.per_token;
  // Between A and B of each adapter, 2 bytes each.
  const double adapters =
      has_adapters(model) ? 2.0 * real(model.adapters.rank) * adapted_products(model).count : 0.0;
  const double norms = 0.5 * parts(kind) * stack.kept_per_hidden_whole * h;
  const double whole = plan.sequence_parallel ? 0.0 : norms * (1.0 - 1.0 / t);
  return (split + adapters) / t + whole;
}

/// Bytes of an element that a product reads and keeps.
double bytes_of_inputs(const Plan& plan, const Stack& stack) {
  return stack.keeps_quantised && is_quantised(plan.dtype) ? wire_bytes(plan.dtype) : 2.0;
}

/// What the norms of a layer return, half of what a stack keeps of them, in as many bytes as the
/// products behind them read.
double kept_by_norms(const Transformer& model, const Stack& stack, const FfnKept& ffn,
                     LayerKind kind, double read) {
  const double mixer = kind.mixer == Mixer::none ? 0.0 : 1.0;
  const double inputs = ffn.has_input ? mixer + 1.0 : mixer;
  const double outputs = 0.5 * parts(kind) * std::min(4.0, 0.5 * stack.kept_per_hidden_whole);
  return (outputs - (2.0 - read) * inputs) * real(model.hidden);
}

FfnKept kept_by_ffn(const Transformer& model, const Plan& plan, const Stack& stack,
                    FeedForward ffn) {
  if (ffn == FeedForward::experts) return kept_by_experts(model, plan, stack);
  if (ffn == FeedForward::none) return {.has_input = false};
  return {.width = real(model.ffn_hidden)};
}

double kept_by_unfused_scores(const Transformer& model, const Plan& plan, const Stack& stack) {
  if (stack.attention != AttentionKernel::unfused) return 0.0;
  return 5.0 * real(model.attention_heads) * real(model.sequence) / real(plan.tensor_parallel);
}

/// Of its scores a fused kernel keeps a maximum and a sum a row, as one number of 4 bytes a head
/// and token. Where core attention is a checkpoint it computes them again, and nothing else:
/// queries, keys and values are the checkpoint's inputs, and the output projection keeps what
/// attention returned [Megatron-Core, _checkpointed_attention_forward].
double dropped_statistics(const Transformer& model, const Plan& plan, const Stack& stack,
                          const RecomputeTraits& policy) {
  if (stack.attention == AttentionKernel::unfused || policy.scores > 0.0) return 0.0;
  return 4.0 * real(model.attention_heads) / real(plan.tensor_parallel);
}

}  // namespace

double kept_by_layer(const Transformer& model, LayerKind kind, const Plan& plan,
                     Recompute recompute, const Stack& stack, double token_count) {
  // The kept tensors are counted in 16 bits.
  const double tokens = token_count * storage_bytes(plan.param_dtype) / 2.0;
  const bool latent = kind.mixer == Mixer::latent_attention;
  const double t = real(plan.tensor_parallel);
  RecomputeTraits policy = traits(recompute, kind);
  const bool narrow = latent && policy.keeps_latent;
  if (narrow) policy.scores = 1.0;
  const FfnKept ffn = kept_by_ffn(model, plan, stack, kind.ffn);
  const bool attends = traits(kind.mixer).attends;
  const double width = ffn.width + ffn.copies * ffn.copy_width;
  const double read = bytes_of_inputs(plan, stack);
  const double split = plan.sequence_parallel ? t : 1.0;
  const double dropped = attends ? dropped_statistics(model, plan, stack, policy) : 0.0;
  return tokens *
         kept_of({.input = 2.0 * real(model.hidden) / split,
                  .all = kept_by_whole_layer(model, plan, stack, ffn, kind, !narrow) - dropped,
                  .inner = kept_per_ffn(model, stack) * width / t,
                  .scores = attends ? kept_by_unfused_scores(model, plan, stack) : 0.0,
                  .norms = kept_by_norms(model, stack, ffn, kind, read) / split,
                  .activated = read * ffn.copies * ffn.copy_width / t,
                  .ffn = (kept_per_ffn(model, stack) - (2.0 - read)) * ffn.width / t},
                 policy);
}

KeptByKinds kept_by_kinds(const Transformer& model, const Plan& plan, const Stack& stack) {
  const double tokens = micro_batch_tokens(model, plan);
  const LayerKinds kinds = layer_kinds(model);
  KeptByKinds kept;
  for (std::size_t i = 0; i < kinds.count; ++i) {
    const auto by_layer = [&](Recompute recompute) {
      return kept_by_layer(model, kinds.list[i], plan, recompute, stack, tokens);
    };
    kept.whole[i] = by_layer(Recompute::none);
    kept.recomputed[i] = recomputes(plan.recompute) ? by_layer(plan.recompute) : kept.whole[i];
  }
  return kept;
}

double kept_by_stage(const KeptByKinds& kept, const StageRun& run) {
  double bytes = 0.0;
  for (std::size_t i = 0; i < layer_kinds_max; ++i) {
    const auto [layers, recomputed] = run.kinds[i];
    bytes += recomputed * kept.recomputed[i] + (layers - recomputed) * kept.whole[i];
  }
  return bytes;
}

}  // namespace cubicbench::sim
