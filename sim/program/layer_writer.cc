#include <algorithm>

#include "sim/kernels/kernels.h"
#include "sim/plan/context_exchange.h"
#include "sim/plan/frozen_weights.h"
#include "sim/plan/split_shape.h"
#include "sim/program/element_work.h"
#include "sim/program/expert_share.h"
#include "sim/program/lower_transformer.h"
#include "sim/program/operation_writer.h"

namespace cubicbench::sim {
namespace {

/// Writes the blocks of one kind of layer, each in the order in which the host launches it.
class LayerWriter : OperationWriter {
 public:
  LayerWriter(const Transformer& model, const Plan& plan, const Stack& stack, StepProgram& program,
              LayerKind kind)
      : OperationWriter(model, plan, stack, program),
        kind_(kind),
        shape_(layer_shape(model, plan, stack, kind)),
        whole_launches_(forward_launches(model, plan, stack, whole())),
        launches_(relative_launches()) {}

  Block write(LayerPass pass) {
    if (!has_pass(plan_, pass)) return {};
    // Gradients of inputs and of weights each launch as many kernels as half a backward pass.
    const bool inputs_alone = splits_backward(plan_.schedule) || has_adapters(model_);
    switch (pass) {
      case LayerPass::forward:
        return layer_block(1.0, [&] { whole_forward(); });
      case LayerPass::recompute:
        return layer_block(policy().launches, [&] { recompute(); });
      case LayerPass::backward:
        return layer_block(inputs_alone ? 1.5 : 2.0, [&] { backward(); });
      case LayerPass::weight_gradients:
        return layer_block(0.5, [&] { weight_gradients(); });
      case LayerPass::pair:
        break;
    }
    Block pair = layer_block(3.0, [&] {
      whole_forward();
      backward();
      weight_gradients();
    });
    pair.is_pair = true;
    return pair;
  }

 private:
  /// Of kernels that a host launches in the time of so many forward passes.
  template <typename Body>
  Block layer_block(double passes, Body body) {
    Block of = block(layer_launches(plan_.dtype) * launches_ * passes, body);
    of.launches = launches_ * whole_launches_ * passes;
    return of;
  }

  /// Parts that the time of a pass over the layer counts as.
  struct Parts {
    StepPart gemm = StepPart::gemm;
    StepPart attention = StepPart::attention;
    StepPart memory_bound = StepPart::memory_bound;
  };

  bool has_experts() const { return kind_.ffn == FeedForward::experts; }
  RecomputeTraits policy() const { return traits(plan_.recompute, kind_); }

  void whole_forward() {
    forward({});
    stored_experts(false);
  }

  void forward(const Parts& parts) {
    for (const LayerProduct& one : shape_.products()) product(one, 1.0, parts.gemm);
    mix_forward(parts.attention);
    element_wise(1.0, shape_.fixed_forward, parts.memory_bound);
    // What adapters add is scaled and added to the output.
    adapters(5.0 * shape_.adapted.outputs, parts.memory_bound);
    quantise(shape_.inputs, parts.memory_bound);
    tensor_traffic(shape_.forward, plan_.dtype);
    context_traffic(1.0);
    if (has_experts()) {
      write_experts(model_, plan_, stack_, program_, shape_.share, false, parts.gemm,
                    parts.memory_bound);
    }
  }

  void recompute() {
    const RecomputeTraits kept = policy();
    if (kept.whole_layers) {
      forward({StepPart::recompute, StepPart::recompute, StepPart::recompute});
    } else if (kept.keeps_latent && kind_.mixer == Mixer::latent_attention) {
      for (const LayerProduct& one : shape_.products()) {
        if (one.up_projection) product(one, 1.0, StepPart::recompute);
      }
      element_wise(0.5, 0.0, StepPart::recompute);
    } else {
      recompute_parts(kept);
    }
  }

  void recompute_parts(const RecomputeTraits& kept) {
    const double products = 1.0 - kept.products;
    if (kept.scores < 1.0 && traits(kind_.mixer).attends) mix_forward(StepPart::recompute);
    if (products > 0.0) {
      for (const LayerProduct& one : shape_.products()) {
        product(one, products, StepPart::recompute);
      }
    }
    if (kept.element_wise > 0.0) {
      element_wise(kept.element_wise, kept.element_wise * shape_.fixed_forward,
                   StepPart::recompute);
    }
    if (products > 0.0) quantise(products * shape_.inputs, StepPart::recompute);
    recompute_modules(kept);
  }

  /// Norms and activation functions read their input once and write their output once.
  void recompute_modules(const RecomputeTraits& kept) {
    const double split = plan_.sequence_parallel ? real(plan_.tensor_parallel) : 1.0;
    const auto streams = [&](double elements) {
      const double factor = element_wise_traffic(stack_, plan_.compile);
      memory_bound(Bytes{factor * storage_bytes(plan_.param_dtype) * tokens_ * elements},
                   StepPart::recompute);
    };
    const double activated = model_.gated_ffn ? 3.0 : 2.0;  // elements, for each of the output
    if (kept.norms < 1.0) streams((1.0 - kept.norms) * 2.0 * parts(kind_) * h_ / split);
    if (kept.activated < 1.0) {
      const double copies = shape_.share.computed / tokens_;
      streams((1.0 - kept.activated) * activated * copies * shape_.share.width);
    }
    if (kept.ffn == 1.0) return;
    const double width = real(model_.ffn_hidden) / real(plan_.tensor_parallel);
    for (const LayerProduct& one : shape_.products()) {
      if (one.role == KernelRole::feed_forward) product(one, 1.0, StepPart::recompute);
    }
    streams(activated * width);
    quantise(h_ / split + width, StepPart::recompute);
    tensor_traffic({.gathers = 1.0, .scatters = 1.0, .reductions = 1.0}, plan_.dtype);
  }

  void backward() {
    const bool splits = splits_backward(plan_.schedule);
    for (const LayerProduct& one : shape_.products()) {
      const GemmShape& shape = one.shape;  // gradient of the input
      widen(one, 1.0, StepPart::memory_bound);
      gemm({shape.m, shape.k, shape.n, shape.batch}, one.count, dtype_of(one), StepPart::gemm,
           one.role);
      if (!splits) weight_gradient(one);
    }
    mix_backward(StepPart::attention);
    element_wise(2.0, shape_.fixed_backward, StepPart::memory_bound);
    adapters(2.0 * shape_.adapted.outputs + 3.0 * shape_.adapted.inputs, StepPart::memory_bound);
    quantise(shape_.output_gradients, StepPart::memory_bound);
    TensorTraffic traffic = shape_.backward;
    if (splits) traffic.gathers -= shape_.regathered;
    if (!splits) accumulate();
    tensor_traffic(traffic, plan_.dtype);
    context_traffic(2.0);
    if (has_experts()) {
      write_experts(model_, plan_, stack_, program_, shape_.share, true, StepPart::gemm,
                    StepPart::memory_bound);
      stored_experts(true);
    }
  }

  void weight_gradients() {
    for (const LayerProduct& one : shape_.products()) weight_gradient(one);
    accumulate();
    if (plan_.sequence_parallel) tensor_traffic({.gathers = shape_.regathered}, plan_.dtype);
  }

  /// Both directions of the host link at once [docs/models.md, Eq. X-8].
  void stored_experts(bool returns_gradients) {
    if (!has_experts() || !stores_experts(plan_)) return;
    const StoredExperts stored = cubicbench::sim::stored_experts(model_, plan_);
    const double moved =
        returns_gradients ? std::max(stored.fetched, stored.returned) : stored.fetched;
    const auto add = [&](OperationKind kind, double bytes) {
      collective(kind, Stream::expert_storage, StepPart::expert_storage, 1.0, Bytes{bytes});
    };
    add(OperationKind::host_copy, moved);
    if (stored.read > 0.0) add(OperationKind::storage_copy, stored.read);
  }

  /// A layer of attention and an FFN, which launches are counted in.
  LayerKind whole() const {
    return {.mixer = has_latent_attention(model_) ? Mixer::latent_attention : Mixer::attention};
  }

  /// Launches over those of whole(). Products of experts are launched one by one where a stack has
  /// no grouped kernel.
  double relative_launches() const {
    const double own = forward_launches(model_, plan_, stack_, kind_);
    return of_experts() + (own / whole_launches_ - 1.0);
  }

  /// Launches over those of a layer without experts.
  double of_experts() const {
    if (!has_experts()) return 1.0;
    return stack_.expert_launches + stack_.launches_an_expert * shape_.share.experts;
  }

  Dtype dtype_of(const LayerProduct& product) const {
    return product.quantised ? plan_.dtype : whole_dtype();
  }

  void product(const LayerProduct& product, double share, StepPart part) {
    widen(product, share, part == StepPart::gemm ? StepPart::memory_bound : part);
    gemm(product.shape, share * product.count, dtype_of(product), part, product.role);
  }

  /// Frozen weights of 4 bits are read, and written in 16 for the product behind.
  void widen(const LayerProduct& product, double share, StepPart part) {
    if (!plan_.quantize_base || !product.frozen) return;
    const double weights = product.shape.n * product.shape.k;
    memory_bound(Bytes{share * weights * (nf4_bytes + storage_bytes(plan_.param_dtype))}, part);
  }

  void weight_gradient(const LayerProduct& product) {
    if (product.frozen) return;
    const GemmShape& shape = product.shape;
    gemm({shape.k, shape.n, shape.m, shape.batch}, product.count, dtype_of(product), StepPart::gemm,
         product.role);
  }

  /// Gradients of a micro-batch are added to those before it.
  void accumulate() {
    if (stack_.accumulation_bytes == 0.0) return;
    double parameters = rank_trained_parameters(model_, plan_, kind_);
    if (has_experts()) parameters += rank_expert_parameters(model_, plan_);
    memory_bound(Bytes{stack_.accumulation_bytes * parameters}, StepPart::memory_bound);
  }

  void mix_forward(StepPart part) {
    if (kind_.mixer == Mixer::scan) return scan(shape_.scan, part);
    attention(OperationKind::attention_forward, part);
  }

  void mix_backward(StepPart part) {
    if (kind_.mixer == Mixer::scan) return scan(shape_.scan_backward, part);
    attention(OperationKind::attention_backward, part);
  }

  void scan(const ScanShape& shape, StepPart part) {
    program_.operations.push_back(
        {.kind = OperationKind::scan, .part = part, .dtype = plan_.dtype, .scan = shape});
  }

  void attention(OperationKind kind, StepPart part) {
    if (kind_.mixer == Mixer::none) return;
    program_.operations.push_back({.kind = kind,
                                   .part = part,
                                   .dtype = plan_.dtype,
                                   .count = ring_blocks() * causal_share(),
                                   .attention = shape_.attention});
  }

  /// Time of attention in blocks of a ring over that of one kernel: the first exchange is under way
  /// before attention begins, the blocks of the c - 2 later ones run slower [docs/models.md, Eq.
  /// T-7].
  double ring_blocks() const {
    const double c = real(ring_degree(plan_));
    const bool ring = context_exchange(plan_, stack_) == ContextExchange::ring && c > 2.0;
    return ring ? 1.0 + stack_.ring_block_cost * (c - 2.0) / c : 1.0;
  }

  /// Work of the rank with the last tokens over the mean, where tokens lie in order: that many keys
  /// are before them [docs/models.md, Eq. T-8]. Packed samples are anywhere, and unfused kernels
  /// compute all scores.
  double causal_share() const {
    const double c = real(ring_degree(plan_));
    if (plan_.context_load_balance || c == 1.0) return 1.0;
    const bool fused = stack_.attention != AttentionKernel::unfused;
    return fused && model_.packed_sample == 0 ? last_piece_share(model_, kind_.mixer, c) : 1.0;
  }

  /// Bytes of an element x tokens x (8 h + 4 (h + f) / t), all of it divided by t with sequence
  /// parallelism, and `fixed` elements that no stack has other kernels for.
  void element_wise(double passes, double fixed, StepPart part) {
    const double factor = element_wise_traffic(stack_, plan_.compile);
    const double bytes = storage_bytes(plan_.param_dtype);
    memory_bound(
        Bytes{passes * factor * bytes * tokens_ * (shape_.element_whole + shape_.element_split) +
              bytes * tokens_ * fixed},
        part);
  }

  /// Element-wise kernels beside adapters, in elements a token that they read or write.
  void adapters(double elements, StepPart part) {
    if (!has_adapters(model_)) return;
    memory_bound(Bytes{storage_bytes(plan_.param_dtype) * tokens_ * elements}, part);
  }

  /// Elements that the products of a layer read, or their output gradients, a token: with sequence
  /// parallelism a rank quantises its part before it is gathered.
  void quantise(double elements_a_token, StepPart part) {
    if (is_quantised(plan_.dtype)) {
      memory_bound(Bytes{quantising_bytes(plan_.dtype) * tokens_ * elements_a_token}, part);
    }
  }

  /// Keys and values of the whole sequence, gathered by every rank [Llama3, section 3.3.2].
  void context_traffic(double passes) {
    exchange_heads();
    if (ring_degree(plan_) == 1 || shape_.exchanged == 0.0) return;
    const double tokens = tokens_ * real(plan_.context_parallel);
    collective(OperationKind::gather, Stream::context, StepPart::context_communication, passes,
               Bytes{storage_bytes(plan_.param_dtype) * tokens * shape_.exchanged});
  }

  /// Heads of all tokens of some ranks, before attention and back after it, or their gradients
  /// [Ulysses23, section 3].
  void exchange_heads() {
    for (const double elements : {shape_.heads_out, shape_.heads_back}) {
      if (elements == 0.0) continue;
      collective(OperationKind::all_to_all, Stream::context_heads, StepPart::context_communication,
                 1.0, Bytes{storage_bytes(plan_.param_dtype) * tokens_ * elements});
    }
  }

  LayerKind kind_;
  LayerShape shape_;
  double whole_launches_;  ///< of whole(), forward
  double launches_;        ///< of the layer, over those
};

}  // namespace

Block lower_pass(const Transformer& model, const Plan& plan, const Stack& stack, LayerKind kind,
                 LayerPass pass, StepProgram& program) {
  return LayerWriter(model, plan, stack, program, kind).write(pass);
}

void lower_layer(const Transformer& model, const Plan& plan, const Stack& stack, LayerKind kind,
                 StepProgram& program, LayerPasses<Block>& passes) {
  LayerWriter writer(model, plan, stack, program, kind);
  for (const LayerPass pass : layer_passes) of_pass(passes, pass) = writer.write(pass);
}

}  // namespace cubicbench::sim
