#include "sim/workload/arch_work.h"

#include <algorithm>
#include <cmath>

#include "sim/base/check.h"
#include "sim/base/units.h"

namespace cubicbench::sim {
namespace {

void add(LayerWork& layer, const ArchProduct& product) {
  SIM_ASSERT(layer.product_count < layer.products.size(), layer.product_count);
  layer.products[layer.product_count++] = product;
  if (product.learned) layer.parameters += product.n * product.k;
}

ArchWork work_of(const ResidualArch& arch, double inputs) {
  const double h = real(arch.width);
  const double f = real(arch.ffn_hidden);
  ArchWork work{.layers = real(arch.layers)};
  add(work.entry, {.n = h, .k = inputs});
  add(work.layer, {.n = f, .k = h});
  add(work.layer, {.n = h, .k = f});
  // Activation function: f in and out; residual sum and norm: 3 h and 2 h.
  work.layer.element_wise = 2.0 * f + 5.0 * h;
  // Its input and the norm's, and what goes into and comes out of the activation function.
  work.layer.kept = 2.0 * h + 2.0 * f;
  work.layer.kept_selective = h + f;
  work.layer.kept_full = h;
  return work;
}

ArchWork work_of(const Mlp& mlp, double inputs) {
  ArchWork work{.layers = 1.0};
  LayerWork& layer = work.layer;
  layer.kept_full = inputs;
  for (const std::int64_t width : mlp.widths) {
    const double n = real(width);
    add(layer, {.n = n, .k = inputs});
    layer.element_wise += 2.0 * n;  // bias and activation function, in and out
    layer.kept += inputs + n;
    layer.kept_selective += inputs;
    inputs = n;
  }
  return work;
}

ArchWork work_of(const Arch& arch, std::int64_t inputs) {
  return std::visit([&](const auto& kind) { return work_of(kind, real(inputs)); }, arch);
}

ArchWork work_of(const std::monostate&, const Recommendation&) { return {}; }

ArchWork work_of(const DotInteraction&, const Recommendation& model) {
  const double n = real(feature_count(model));
  const double d = real(feature_width(model)) / n;
  ArchWork work{.layers = 1.0};
  add(work.layer, {.rows = n, .n = n, .k = d, .learned = false});
  const double pairs = 0.5 * n * (n - 1.0);
  work.layer.element_wise = n * n + 2.0 * pairs;  // the triangle is cut out and put beside d
  work.layer.kept = n * d + n * n;
  work.layer.kept_selective = n * d;
  work.layer.kept_full = n * d;
  return work;
}

ArchWork work_of(const CrossInteraction& cross, const Recommendation& model) {
  const double w = real(feature_width(model));
  const double r = real(cross.rank);
  ArchWork work{.layers = real(cross.layers)};
  add(work.layer, {.n = r, .k = w});
  add(work.layer, {.n = w, .k = r});
  work.layer.element_wise = 4.0 * w;  // x_0, U V x and x in, the next x out
  work.layer.kept = 2.0 * w + r;
  work.layer.kept_selective = w + r;
  work.layer.kept_full = w;
  return work;
}

ArchWork work_of(const StackedInteraction& stacked, const Recommendation& model) {
  const double n = real(stacked.features);
  const double d = real(stacked.dim);
  const double k = real(stacked.compressed);
  const double h = real(stacked.ffn_hidden);
  const double n_f = real(stacked.product_features);
  const double n_0 = real(feature_count(model));
  ArchWork work{.layers = real(stacked.layers)};
  // Every feature has a projection of its own: as many multiplications as of one over all, and
  // n_0 times the weights of an average one.
  const double width = real(feature_width(model));
  add(work.entry, {.rows = n_0, .n = d, .k = width / n_0, .learned = false});
  work.entry.parameters = width * d;
  add(work.entry, {.rows = d, .n = n, .k = n_0});
  work.entry.kept = n_0 * d;
  work.entry.kept_selective = n_0 * d;
  LayerWork& layer = work.layer;
  add(layer, {.rows = d, .n = k, .k = n});                    // X^T Y
  add(layer, {.rows = n, .n = k, .k = d, .learned = false});  // X (X^T Y)
  add(layer, {.n = h, .k = n * k});
  add(layer, {.n = n_f * d, .k = h});
  add(layer, {.rows = d, .n = n - n_f, .k = n});  // linear combinations
  // Norm of the products, activation function; residual sum and norm of the result.
  layer.element_wise = 2.0 * n * k + 2.0 * h + 5.0 * n * d;
  layer.kept = 2.0 * n * d + d * k + 2.0 * n * k + 2.0 * h;
  layer.kept_selective = n * d + d * k + n * k + h;
  layer.kept_full = n * d;
  return work;
}

/// Attention of histories that differ in length: a token is more likely one of a long one.
SelfAttention attention_of(const Recommendation& model, double heads, double head_size) {
  const double s = real(sequence_tokens(model));
  return {
      .tokens = s, .context = s * length_moment(model, 2), .heads = heads, .head_size = head_size};
}

/// [docs/models.md, Eq. R-28]
WorkSpread spread_of(const Recommendation& model) {
  const double second = length_moment(model, 2);
  const double fourth = length_moment(model, 4);
  const double longest = real(model.sequence->lengths.max);
  const double most = std::max(1.0, longest / real(sequence_tokens(model)));
  return {.tokens = std::sqrt(std::max(0.0, second - 1.0)),
          .attention = std::sqrt(std::max(0.0, fourth / (second * second) - 1.0)),
          .most = most,
          .most_attention = most * most / second,
          .together = lengths_together(model)};
}

/// [HSTU24, Eq. 1 to 3; docs/models.md, Table R-1], as examples/hstu/modules/fused_hstu_layer.py of
/// github.com/NVIDIA/recsys-examples computes it.
ArchWork hstu_work(const SequenceArch& arch, const Recommendation& model) {
  const double s = real(sequence_tokens(model));
  const double h = real(arch.width);
  const double a = real(arch.heads * arch.head_size);
  ArchWork work{.layers = real(arch.layers)};
  add(work.entry, {.rows = s, .n = h, .k = real(token_width(model))});
  LayerWork& layer = work.layer;
  add(layer, {.rows = s, .n = 4.0 * a, .k = h});  // gates, values, queries, keys
  add(layer, {.rows = s, .n = h, .k = a});
  layer.attention = attention_of(model, real(arch.heads), real(arch.head_size));
  layer.attention.gated = true;
  // Norm of the input, activation function of all four, norm of attention's output with the gate,
  // residual sum.
  layer.norms = s * 2.0 * h;
  layer.element_wise = layer.norms + s * (8.0 * a + 3.0 * a + h);
  // The layer's input and its norm, the four before and behind the activation function, attention's
  // output, and what the second product reads.
  layer.kept_norms = s * h;
  layer.kept = s * (2.0 * h + 10.0 * a);
  layer.kept_selective = s * (2.0 * h + 4.0 * a);
  layer.kept_full = s * h;
  return work;
}

ArchWork work_of(const SequenceArch& arch, const Recommendation& model) {
  if (arch.kind == SequenceLayer::hstu) return hstu_work(arch, model);
  const double s = real(sequence_tokens(model));
  const double h = real(arch.width);
  const double f = real(arch.ffn_hidden);
  ArchWork work{.layers = real(arch.layers)};
  add(work.entry, {.rows = s, .n = h, .k = real(token_width(model))});
  LayerWork& layer = work.layer;
  add(layer, {.rows = s, .n = 3.0 * h, .k = h});
  add(layer, {.rows = s, .n = h, .k = h});
  add(layer, {.rows = s, .n = f, .k = h});
  add(layer, {.rows = s, .n = h, .k = f});
  layer.attention = attention_of(model, real(arch.heads), h / real(arch.heads));
  // Two norms and residual sums of 5 h each, the activation function 2 f.
  layer.element_wise = s * (10.0 * h + 2.0 * f);
  // Inputs of norms and products (4 h), queries, keys, values (3 h), attention's result (h).
  layer.kept = s * (8.0 * h + 2.0 * f);
  layer.kept_selective = s * (6.0 * h + f);
  layer.kept_full = s * h;
  return work;
}

double flops_of(const LayerWork& layer) {
  double flops = 0.0;
  for (const ArchProduct& p : layer.all()) flops += 2.0 * p.rows * p.n * p.k;
  const SelfAttention& a = layer.attention;
  return flops + 2.0 * a.tokens * a.context * a.heads * a.head_size;  // causal: half of 4 s s h
}

}  // namespace

ArchWork arch_work(const Recommendation& model, ModuleGroup group) {
  switch (group) {
    case ModuleGroup::dense: {
      ArchWork work = work_of(model.dense, model.dense_inputs);
      work.inputs_learn = false;
      return work;
    }
    case ModuleGroup::sequence: {
      if (!model.sequence) return {};
      ArchWork work = work_of(*model.sequence, model);
      work.spread = spread_of(model);
      return work;
    }
    case ModuleGroup::interaction:
      return std::visit([&](const auto& kind) { return work_of(kind, model); }, model.interaction);
    case ModuleGroup::over: {
      ArchWork work = work_of(model.over, over_inputs(model));
      // What an interaction made is kept for the first weight's gradient; pooled rows are there.
      const bool is_made = !std::holds_alternative<std::monostate>(model.interaction);
      if (is_made && work.entry.product_count > 0) {
        work.entry.kept = real(over_inputs(model));
        work.entry.kept_selective = work.entry.kept;
      }
      return work;
    }
  }
  return {};
}

double forward_flops(const ArchWork& work) {
  return flops_of(work.entry) + work.layers * flops_of(work.layer);
}

double parameters_of(const ArchWork& work) {
  return work.entry.parameters + work.layers * work.layer.parameters;
}

}  // namespace cubicbench::sim
