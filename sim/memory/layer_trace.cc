#include "sim/memory/layer_trace.h"

#include <algorithm>

#include "sim/base/units.h"
#include "sim/program/kept_activations.h"
#include "sim/program/step_program.h"

namespace cubicbench::sim {
namespace {

constexpr double layer_kernels = 32.0;    // of a forward pass, counted in models/llama.py
constexpr double one_workspace = 0x1p25;  // of cuBLAS, one a thread: forward and backward

LayerMatrices layer_matrices(const Transformer& m, const Plan& plan) {
  const double t = real(plan.tensor_parallel);
  const double h = real(m.hidden);
  const double heads = real(m.attention_heads * m.head_size) / t;
  const double keys = std::max(1.0, real(m.kv_heads) / t) * real(m.head_size);
  const double ffn = real(m.ffn_hidden) / t;
  return {h * (heads + 2.0 * keys), h * heads, (m.gated_ffn ? 2.0 : 1.0) * h * ffn, h * ffn};
}

double listed(const LayerSizes& size, const Transformer& model) {
  return 4.0 * size.shared + 2.0 * size.heads + 4.0 * size.keys + size.log_sums + size.up +
         (model.gated_ffn ? 2.0 : 1.0) * size.ffn;
}

LayerSizes layer_sizes(const Transformer& m, const Plan& plan, const Stack& stack) {
  const double t = real(plan.tensor_parallel);
  const double tokens = micro_batch_tokens(m, plan);
  const double element = storage_bytes(plan.param_dtype) * tokens;
  LayerSizes size;
  size.whole = element * real(m.hidden);
  size.shared = size.whole / (plan.sequence_parallel ? t : 1.0);
  size.heads = element * real(m.attention_heads * m.head_size) / t;
  size.keys = element * std::max(1.0, real(m.kv_heads) / t) * real(m.head_size);
  size.ffn = element * real(m.ffn_hidden) / t;
  size.up = (m.gated_ffn ? 2.0 : 1.0) * size.ffn;
  size.log_sums = 4.0 * tokens * real(m.attention_heads) / t;
  const bool again = recomputes_whole_layers(plan);
  const double all = listed(size, m);
  size.scale_whole = kept_by_layer(m, {}, plan, Recompute::none, stack, tokens) / all;
  size.scale =
      again ? size.scale_whole : kept_by_layer(m, {}, plan, plan.recompute, stack, tokens) / all;
  return size;
}

}  // namespace

LayerTrace::LayerTrace(const Transformer& model, const Plan& plan, const Stack& stack,
                       const PassTimes& times, TraceWriter& writer)
    : model_(model),
      plan_(plan),
      stack_(stack),
      out_(writer),
      size_(layer_sizes(model, plan, stack)),
      matrices_(layer_matrices(model, plan)),
      scatters_(plan.tensor_parallel > 1 && plan.sequence_parallel),
      copies_(plan.micro_batch > 1) {
  const auto part = [&](double host, Seconds device, double share, double kernels) {
    return writer.pass({host * times.layer_host, share * device, kernels * layer_kernels});
  };
  attention_forward_ = part(1.0 / 3.0, times.layer_forward, 0.25, 0.3);
  ffn_forward_ = part(1.0 / 6.0, times.layer_forward, 0.25, 0.2);
  ffn_backward_ = part(1.0 / 3.0, times.layer_backward, 0.25, 0.5);
  attention_backward_ = part(2.0 / 3.0, times.layer_backward, 0.25, 0.5);
}

Tensor LayerTrace::forward(Tensor input, std::int64_t micro_batch, LayerPass pass, Kept& kept) {
  using Op = TraceOperation;
  const bool again = pass == LayerPass::again;
  const double scale = pass == LayerPass::only ? size_.scale : size_.scale_whole;
  kept.input = input;
  out_.begin(again ? Op::attention_recompute : Op::attention_forward, micro_batch);
  kept.first_norm = out_.take(scale * size_.shared);
  if (scatters_ && gathered_ == no_tensor) {
    gathered_ = out_.take(MemoryPart::communication_buffers, size_.whole);
  }
  const Tensor product = out_.take(size_.heads + 2.0 * size_.keys);
  first_workspace();
  out_.launch(attention_forward_);
  rotate(scale, kept);
  kept.attended = out_.take(scale * size_.heads);
  kept.log_sums = out_.take(scale * size_.log_sums);
  out_.launch(attention_forward_);
  const Tensor copied = copies_ ? out_.take(size_.heads) : no_tensor;
  const Tensor projected = row_product(copied);
  out_.drop(product);
  kept.middle = out_.take(scale * size_.shared);
  out_.begin(again ? Op::ffn_recompute : Op::ffn_forward, micro_batch);
  kept.second_norm = out_.take(scale * size_.shared);
  kept.up = out_.take(scale * size_.up);
  out_.launch(ffn_forward_);
  kept.activated = out_.take(scale * size_.ffn);
  if (model_.gated_ffn) kept.product = out_.take(scale * size_.ffn);
  const Tensor down = row_product(no_tensor);
  out_.launch(ffn_forward_);
  const Tensor output = out_.take(size_.shared);
  out_.drop(down);
  out_.drop(projected);
  return output;
}

void LayerTrace::forget(Kept& kept) {
  for (Tensor* tensor :
       {&kept.first_norm, &kept.queries, &kept.keys, &kept.attended, &kept.log_sums, &kept.middle,
        &kept.second_norm, &kept.up, &kept.activated, &kept.product}) {
    out_.forget(*tensor);
  }
}

Tensor LayerTrace::backward(Tensor gradient, std::int64_t micro_batch, Kept& kept,
                            std::vector<Tensor>& gradients) {
  const Tensor middle = ffn(gradient, micro_batch, kept, gradients);
  return attention(middle, micro_batch, kept, gradients);
}

void LayerTrace::weight_gradient(double parameters, std::vector<Tensor>& gradients) {
  if (stack_.pass_gradient_bytes > 0.0) {
    gradients.push_back(out_.take(MemoryPart::gradients, stack_.pass_gradient_bytes * parameters));
  }
}

Tensor LayerTrace::row_product(Tensor input) {
  Tensor sum = out_.take(scatters_ ? size_.whole : size_.shared);
  out_.forget(input);
  if (!scatters_) return sum;
  const Tensor part = out_.take(size_.shared);
  out_.drop(sum, true);
  return part;
}

Tensor LayerTrace::scattered_gradient(double parameters, std::vector<Tensor>& gradients,
                                      Tensor used) {
  const Tensor whole = out_.take(scatters_ ? size_.whole : size_.shared);
  out_.forget(used);
  if (!scatters_) {
    weight_gradient(parameters, gradients);
    return whole;
  }
  const Tensor part = out_.take(size_.shared);
  weight_gradient(parameters, gradients);
  out_.drop(whole, true);
  return part;
}

void LayerTrace::workspace(bool& taken) {
  if (!taken) out_.take(MemoryPart::workspace, one_workspace);
  taken = true;
}

void LayerTrace::rotate(double scale, Kept& kept) {
  const bool grouped = model_.kv_heads != model_.attention_heads;
  kept.queries = out_.take(scale * (size_.heads + 2.0 * size_.keys));
  Tensor keys = grouped ? out_.take(size_.keys) : no_tensor;
  Tensor values = grouped ? out_.take(size_.keys) : no_tensor;
  const Tensor together = out_.take(2.0 * size_.keys);
  kept.keys = out_.take(scale * 2.0 * size_.keys);
  out_.drop(together);
  out_.forget(keys);
  out_.forget(values);
}

Tensor LayerTrace::ffn(Tensor gradient, std::int64_t micro_batch, Kept& kept,
                       std::vector<Tensor>& gradients) {
  out_.begin(TraceOperation::ffn_backward, micro_batch);
  if (scatters_ && gathered_back_ == no_tensor) {
    gathered_back_ = out_.take(MemoryPart::communication_buffers, size_.whole);
  }
  const Tensor product = out_.take(size_.ffn);
  backward_workspace();
  weight_gradient(matrices_.down, gradients);
  out_.forget(model_.gated_ffn ? kept.product : kept.activated);
  out_.launch(ffn_backward_);
  const Tensor up = activation_gradient(product, kept);
  const Tensor scattered = scattered_gradient(matrices_.up, gradients);
  out_.drop(up);
  out_.forget(kept.second_norm, scatters_);
  out_.launch(ffn_backward_);
  return joined(gradient, scattered, kept.middle);
}

Tensor LayerTrace::activation_gradient(Tensor product, Kept& kept) {
  if (!model_.gated_ffn) {
    const Tensor up = out_.take(size_.up);
    out_.drop(product);
    out_.forget(kept.up);
    return up;
  }
  const Tensor of_gate = out_.take(size_.ffn);
  const Tensor of_up = out_.take(size_.ffn);
  out_.drop(product);
  out_.forget(kept.activated);
  const Tensor gate = out_.take(size_.ffn);
  out_.drop(of_gate);
  out_.forget(kept.up);
  const Tensor both = out_.take(size_.up);
  out_.drop(gate);
  out_.drop(of_up);
  return both;
}

Tensor LayerTrace::joined(Tensor round, Tensor scattered, Tensor& input) {
  const Tensor through = out_.take(size_.shared);
  out_.drop(scattered);
  out_.forget(input);
  const Tensor sum = out_.take(size_.shared);
  out_.drop(through);
  out_.drop(round, scatters_);
  return sum;
}

Tensor LayerTrace::attention(Tensor gradient, std::int64_t micro_batch, Kept& kept,
                             std::vector<Tensor>& gradients) {
  out_.begin(TraceOperation::attention_backward, micro_batch);
  Tensor attended = out_.take(size_.heads);
  const Tensor copied = copies_ ? out_.take(size_.heads) : no_tensor;
  weight_gradient(matrices_.out, gradients);
  if (copies_) {
    out_.drop(copied);
    const Tensor turned = out_.take(size_.heads);
    out_.drop(attended);
    attended = turned;
  }
  const Tensor first = attention_kernel(attended, kept);
  const Tensor contiguous = out_.take(size_.heads + 2.0 * size_.keys);
  const Tensor scattered = scattered_gradient(matrices_.qkv, gradients, first);
  out_.drop(contiguous);
  out_.forget(kept.first_norm, scatters_);
  out_.launch(attention_backward_);
  return joined(gradient, scattered, kept.input);
}

Tensor LayerTrace::attention_kernel(Tensor attended, Kept& kept) {
  const bool grouped = model_.kv_heads != model_.attention_heads;
  const Tensor queries = out_.take(size_.heads);
  const Tensor keys = out_.take(size_.keys);
  const Tensor values = out_.take(size_.keys);
  const Tensor sums = out_.take(size_.log_sums);
  const Tensor accumulated = out_.take(2.0 * size_.heads);  // fp32
  const Tensor spread = grouped ? out_.take(2.0 * size_.heads) : no_tensor;
  out_.drop(sums);
  out_.drop(accumulated);
  if (grouped) out_.drop(spread);
  out_.drop(attended);
  out_.forget(kept.queries);
  out_.forget(kept.keys);
  out_.forget(kept.attended);
  out_.forget(kept.log_sums);
  out_.launch(attention_backward_);
  const Tensor together = out_.take(2.0 * size_.keys);
  out_.drop(keys);
  out_.drop(values);
  const Tensor stacked = out_.take(size_.heads + 2.0 * size_.keys);
  out_.drop(queries);
  out_.drop(together);
  return stacked;
}

}  // namespace cubicbench::sim
