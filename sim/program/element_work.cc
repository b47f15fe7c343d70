#include "sim/program/element_work.h"

#include "sim/base/units.h"

namespace cubicbench::sim {
namespace {

/// What a plan's compiler leaves of the stack's kernels.
Fusion fusion_of(const Plan& plan, const Stack& stack) {
  return plan.compile ? compiled(stack.fusion) : stack.fusion;
}

/// Gated models have RMSNorm and rotary embedding as Llama, others LayerNorm and learnt positions
/// as GPT.
bool is_llama(const Transformer& model) { return model.gated_ffn; }

/// Of an RMSNorm in steps: to fp32, squared, mean, root, scaled, back to 16 bits, weighted.
constexpr double rms_steps = 7.0;
constexpr double rms_bytes = 36.0;
constexpr double layer_norm_bytes = 6.0;  ///< PyTorch's kernel, which keeps its statistics
constexpr double fused_norm_bytes = 4.0;  ///< read once, written once

double norm_bytes(const Transformer& model, const Fusion& fusion) {
  if (fusion.norms) return fused_norm_bytes;
  return is_llama(model) ? rms_bytes : layer_norm_bytes;
}

/// Biases and dropout are kernels of their own: of GPT, whose products have them.
bool splits_biases(const Transformer& model, const Fusion& fusion) {
  return !fusion.residuals && !is_llama(model);
}

constexpr double bias_bytes = 4.0;     ///< read and written
constexpr double dropout_bytes = 5.0;  ///< with a byte of mask

/// Two reads and a write; a compiler joins the sum with the norm behind it.
double residual_bytes(const Transformer& model, const Plan& plan, const Fusion& fusion) {
  const double sum = plan.compile ? 4.0 : 6.0;
  return splits_biases(model, fusion) ? sum + bias_bytes + dropout_bytes : sum;
}

/// An unfused rotary embedding turns halves, multiplies twice and adds, in fp32.
double rotary_bytes(const Transformer& model, const Fusion& fusion) {
  if (!is_llama(model)) return 0.0;
  return fusion.rotary ? 4.0 : 20.0;
}

/// Both halves read, their product written, or one; unfused, the activated half goes through memory
/// too.
double activation_bytes(const Transformer& model, const Fusion& fusion) {
  if (!model.gated_ffn) return splits_biases(model, fusion) ? 4.0 + bias_bytes : 4.0;
  return fusion.activation ? 6.0 : 10.0;
}

/// Of one norm.
double norm_launches(const Transformer& model, const Fusion& fusion) {
  return fusion.norms || !is_llama(model) ? 1.0 : rms_steps;
}

double residual_launches(const Transformer& model, const Fusion& fusion) {
  return splits_biases(model, fusion) ? 5.0 : 1.0;
}

/// Rotary embedding of queries and of keys.
double rotary_launches(const Transformer& model, const Fusion& fusion) {
  if (!is_llama(model)) return 0.0;
  return fusion.rotary ? 2.0 : 8.0;
}

/// What tensor parallelism launches beside the products of a part: a collective behind it, with
/// sequence parallelism one before it as well.
double tensor_launches(const Plan& plan) {
  if (plan.tensor_parallel == 1) return 0.0;
  return plan.sequence_parallel ? 2.0 : 1.0;
}

/// Of the inputs of the two products of a part: a cast, and with scales of their own the largest
/// magnitude and the scale before it.
double quantising_launches(const Plan& plan, const Fusion& fusion) {
  if (!is_quantised(plan.dtype)) return 0.0;
  return fusion.delayed_scaling ? 2.0 : 6.0;
}

/// Of mixer and FFN alike.
double part_launches(const Transformer& model, const Plan& plan, const Fusion& fusion) {
  return norm_launches(model, fusion) + residual_launches(model, fusion) + tensor_launches(plan) +
         quantising_launches(plan, fusion);
}

/// Products of attention and of an FFN, which GPT has as two each in any case.
double attention_products(const Transformer& model, const Fusion& fusion) {
  return fusion.projections || !is_llama(model) ? 2.0 : 4.0;
}

double ffn_products(const Transformer& model, const Fusion& fusion) {
  return fusion.projections || !is_llama(model) ? 2.0 : 3.0;
}

/// Of attention, its projections, and what is between them.
double attention_launches(const Transformer& model, const Plan& plan, const Stack& stack,
                          const Fusion& fusion) {
  const bool latent = has_latent_attention(model);
  const double scores = stack.attention == AttentionKernel::unfused ? 5.0 : 1.0;
  const double copies = plan.compile ? 1.0 : 3.0;
  return (latent ? 2.0 * norm_launches(model, fusion) + 3.0 : 0.0) + scores +
         attention_products(model, fusion) + copies + rotary_launches(model, fusion);
}

double mixer_launches(const Transformer& model, const Plan& plan, const Stack& stack,
                      const Fusion& fusion, Mixer mixer) {
  if (mixer == Mixer::none) return 0.0;
  const double mixing = traits(mixer).attends ? attention_launches(model, plan, stack, fusion)
                                              : 2.0 + traits(mixer).kernels;
  return part_launches(model, plan, fusion) + mixing;
}

double ffn_launches(const Transformer& model, const Plan& plan, const Fusion& fusion) {
  const double activation = model.gated_ffn && !fusion.activation ? 2.0 : 1.0;
  return part_launches(model, plan, fusion) + ffn_products(model, fusion) + activation;
}

/// Two products, a scale and a sum for each product that has adapters.
double adapter_launches(const Transformer& model) {
  return has_adapters(model) ? 4.0 * adapted_products(model).count : 0.0;
}

/// Of frozen weights in 4 bits: the scales and then the weights of each product.
double widening_launches(const Transformer& model, const Plan& plan, const Fusion& fusion) {
  if (!plan.quantize_base) return 0.0;
  return 2.0 * (attention_products(model, fusion) + ffn_products(model, fusion));
}

}  // namespace

ElementBytes element_bytes(const Transformer& model, const Plan& plan, const Stack& stack,
                           const ElementWidths& widths) {
  const Fusion fusion = fusion_of(plan, stack);
  const double h = real(model.hidden);
  const double norms = norm_bytes(model, fusion);
  const double copies = plan.compile ? 0.0 : 4.0;
  return {.whole = widths.parts * h * (norms + residual_bytes(model, plan, fusion)) +
                   norms * widths.latent,
          .split = rotary_bytes(model, fusion) * (widths.queries + widths.keys) +
                   copies * widths.attended + activation_bytes(model, fusion) * widths.activation};
}

double forward_launches(const Transformer& model, const Plan& plan, const Stack& stack,
                        LayerKind kind) {
  const Fusion fusion = fusion_of(plan, stack);
  const double ffn = kind.ffn == FeedForward::none ? 0.0 : ffn_launches(model, plan, fusion);
  return mixer_launches(model, plan, stack, fusion, kind.mixer) + ffn + adapter_launches(model) +
         widening_launches(model, plan, fusion);
}

}  // namespace cubicbench::sim
