#include "sim/program/lower_transformer.h"

#include <algorithm>
#include <cmath>

#include "sim/base/real.h"
#include "sim/kernels/quantise.h"
#include "sim/plan/pipeline_schedule.h"
#include "sim/plan/validity.h"
#include "sim/program/kept_activations.h"
#include "sim/program/transformer_allocations.h"

namespace cubicbench::sim {
namespace {

/// Columns of the head on one rank. Tensor ranks get equal shares, so that the vocabulary is padded
/// to 128 columns a rank; a head that is whole is taken as it is [docs/models.md, Eq. K-7].
double rank_vocabulary(const Transformer& model, const Plan& plan) {
  constexpr double columns = 128.0;
  const double share = real(model.vocabulary) / real(plan.tensor_parallel);
  return plan.tensor_parallel == 1 ? share : std::ceil(share / columns) * columns;
}

/// Appends the operations of each block, in the order the host launches them.
class BlockWriter {
 public:
  BlockWriter(const Transformer& model, const Plan& plan, const Stack& stack, StepProgram& program)
      : model_(model),
        plan_(plan),
        stack_(stack),
        program_(program),
        t_(real(plan.tensor_parallel)),
        h_(real(model.hidden)),
        d_(real(model.head_size)),
        tokens_(micro_batch_tokens(model, plan)),
        kv_heads_(std::max(1.0, real(model.kv_heads) / t_)) {}

  void write() {
    const double launches = layer_launches(plan_.dtype);
    block(BlockId::layer_forward, launches, [&] { layer_forward(); });
    block(BlockId::layer_recompute, launches * recompute_passes(), [&] { layer_recompute(); });
    block(BlockId::layer_backward, launches * 2.0, [&] { layer_backward(); });
    block(BlockId::embedding, 0.0, [&] { embedding(); });
    block(BlockId::head, 0.0, [&] { head(); });
  }

 private:
  template <typename Body>
  void block(BlockId id, double host_passes, Body body) {
    Block& block = program_.blocks[static_cast<std::size_t>(id)];
    block.begin = static_cast<std::uint32_t>(program_.operations.size());
    body();
    block.end = static_cast<std::uint32_t>(program_.operations.size());
    block.host_passes = host_passes;
  }

  double recompute_passes() const {
    switch (plan_.recompute) {
      case Recompute::none:
        return 0.0;
      case Recompute::selective:
        return 0.2;  // two or three of a layer's dozen launches
      case Recompute::per_op:
        return 0.5;
      default:
        return 1.0;
    }
  }

  /// Low-precision recipes leave the head in 16 bits.
  Dtype head_dtype() const { return plan_.dtype >= Dtype::fp8 ? Dtype::bf16 : plan_.dtype; }
  GemmShape qkv() const { return {tokens_, d_ * (heads() + 2.0 * kv_heads_), h_}; }
  GemmShape attention_out() const { return {tokens_, h_, heads() * d_}; }
  GemmShape ffn_up() const { return {tokens_, (model_.gated_ffn ? 2.0 : 1.0) * ffn(), h_}; }
  GemmShape ffn_down() const { return {tokens_, h_, ffn()}; }
  GemmShape logits() const { return {tokens_, rank_vocabulary(model_, plan_), h_}; }
  double heads() const { return real(model_.attention_heads) / t_; }
  double ffn() const { return real(model_.ffn_hidden) / t_; }

  void layer_forward() {
    for (const GemmShape& shape : {qkv(), attention_out(), ffn_up(), ffn_down()}) {
      gemm(shape, 1.0, StepPart::gemm);
    }
    attention(OperationKind::attention_forward, StepPart::attention);
    element_wise(1.0, StepPart::memory_bound);
    quantise(inputs(), StepPart::memory_bound);
    tensor_traffic({.gathers = 2.0, .scatters = 2.0, .reductions = 2.0});
    context_traffic(1.0);
  }

  void layer_backward() {
    for (const GemmShape& shape : {qkv(), attention_out(), ffn_up(), ffn_down()}) {
      gemm({shape.m, shape.k, shape.n}, 1.0, StepPart::gemm);  // gradient of the input
      gemm({shape.k, shape.n, shape.m}, 1.0, StepPart::gemm);  // gradient of the weight
    }
    attention(OperationKind::attention_backward, StepPart::attention);
    element_wise(2.0, StepPart::memory_bound);
    quantise(output_gradients(), StepPart::memory_bound);
    // With sequence parallelism the two gathered inputs are not kept but gathered again.
    tensor_traffic({.gathers = 4.0, .scatters = 2.0, .reductions = 2.0});
    context_traffic(2.0);
  }

  void layer_recompute() {
    switch (plan_.recompute) {
      case Recompute::none:
        return;
      case Recompute::selective:
        attention(OperationKind::attention_forward, StepPart::recompute);
        return;
      case Recompute::per_op:  // every second product is kept, and attention
        for (const GemmShape& shape : {qkv(), attention_out(), ffn_up(), ffn_down()}) {
          gemm(shape, 0.5, StepPart::recompute);
        }
        element_wise(1.0, StepPart::recompute);
        quantise(0.5 * inputs(), StepPart::recompute);
        return;
      case Recompute::full:
      case Recompute::every_k:
        for (const GemmShape& shape : {qkv(), attention_out(), ffn_up(), ffn_down()}) {
          gemm(shape, 1.0, StepPart::recompute);
        }
        attention(OperationKind::attention_forward, StepPart::recompute);
        element_wise(1.0, StepPart::recompute);
        quantise(inputs(), StepPart::recompute);
        tensor_traffic({.gathers = 2.0, .scatters = 2.0, .reductions = 2.0});
        context_traffic(1.0);
        return;
    }
  }

  void embedding() {
    // Forward reads and writes a row in 16 bits; backward reads one and adds it up in fp32.
    memory_bound(Bytes{tokens_ * h_ * 14.0}, StepPart::memory_bound);
    tensor_traffic({.gathers = 1.0, .scatters = 1.0, .reductions = 1.0}, plan_.param_dtype);
  }

  void head() {
    const GemmShape shape = logits();
    gemm(shape, 1.0, StepPart::head_and_loss);
    gemm({shape.m, shape.k, shape.n}, 1.0, StepPart::head_and_loss);
    gemm({shape.k, shape.n, shape.m}, 1.0, StepPart::head_and_loss);
    memory_bound(Bytes{stack_.logits_traffic_bytes * shape.m * shape.n}, StepPart::head_and_loss);
    tensor_traffic({.gathers = 2.0, .scatters = 1.0, .reductions = 1.0}, plan_.param_dtype);
  }

  void gemm(const GemmShape& shape, double count, StepPart part) {
    program_.operations.push_back(
        {.kind = OperationKind::gemm,
         .part = part,
         .dtype = part == StepPart::head_and_loss ? head_dtype() : plan_.dtype,
         .count = count,
         .gemm = shape});
  }

  void attention(OperationKind kind, StepPart part) {
    program_.operations.push_back({.kind = kind,
                                   .part = part,
                                   .dtype = plan_.dtype,
                                   .count = ring_blocks(),
                                   .attention = {tokens_, real(model_.sequence), heads(), d_}});
  }

  /// Time of attention in blocks of a ring over that of one kernel: the first exchange is under way
  /// before attention begins, the blocks of the c - 2 later ones run slower [docs/models.md, Eq.
  /// T-7].
  double ring_blocks() const {
    const double c = real(plan_.context_parallel);
    const bool ring = stack_.context == ContextExchange::ring && c > 2.0;
    return ring ? 1.0 + stack_.ring_block_cost * (c - 2.0) / c : 1.0;
  }

  /// Bytes of an element x tokens x (8 h + 4 (h + f) / t), all of it divided by t with sequence
  /// parallelism.
  void element_wise(double passes, StepPart part) {
    const double factor =
        plan_.compile ? stack_.compiled_element_wise_factor : stack_.element_wise_factor;
    const double whole = 8.0 * h_ / (plan_.sequence_parallel ? t_ : 1.0);
    const double split = 4.0 * (h_ / t_ + ffn());
    memory_bound(
        Bytes{passes * factor * storage_bytes(plan_.param_dtype) * tokens_ * (whole + split)},
        part);
  }

  /// Elements that the products of a layer read, a token: with sequence parallelism a rank
  /// quantises its part before it is gathered.
  double inputs() const { return 2.0 * h_ * shared() + (heads() * d_ + ffn()); }
  /// And their output gradients, which the backward products read.
  double output_gradients() const { return qkv().n + ffn_up().n + 2.0 * h_ * shared(); }
  double shared() const { return plan_.sequence_parallel ? 1.0 / t_ : 1.0; }

  void quantise(double elements_a_token, StepPart part) {
    if (plan_.dtype >= Dtype::fp8) {
      memory_bound(Bytes{quantising_bytes(plan_.dtype) * tokens_ * elements_a_token}, part);
    }
  }

  void memory_bound(Bytes bytes, StepPart part) {
    program_.operations.push_back(
        {.kind = OperationKind::memory_bound, .part = part, .bytes = bytes});
  }

  /// Half-collectives of a micro-batch's activations with sequence parallelism, else `reductions`
  /// whole ones.
  struct TensorTraffic {
    double gathers = 0.0;
    double scatters = 0.0;
    double reductions = 0.0;
  };

  /// What the products of a layer gather travels as they read it, quantised where they are; sums
  /// travel in 16 bits [docs/models.md, Eq. T-6].
  void tensor_traffic(const TensorTraffic& traffic) { tensor_traffic(traffic, plan_.dtype); }

  void tensor_traffic(const TensorTraffic& traffic, Dtype gathered) {
    if (plan_.tensor_parallel == 1) {
      return;
    }
    const Bytes whole{storage_bytes(plan_.param_dtype) * tokens_ * h_};
    if (!plan_.sequence_parallel) {
      tensor_collective(OperationKind::all_reduce, traffic.reductions, whole);
    } else if (gathered < Dtype::fp8) {
      tensor_collective(OperationKind::gather, traffic.gathers + traffic.scatters, whole);
    } else {
      tensor_collective(OperationKind::gather, traffic.scatters, whole);
      tensor_collective(OperationKind::gather, traffic.gathers,
                        Bytes{wire_bytes(gathered) * tokens_ * h_});
    }
  }

  void tensor_collective(OperationKind kind, double count, Bytes bytes) {
    program_.operations.push_back({.kind = kind,
                                   .stream = Stream::tensor,
                                   .part = StepPart::tensor_communication,
                                   .count = count,
                                   .bytes = bytes});
  }

  /// Keys and values of the whole sequence, gathered by every rank [Llama3, section 3.3.2].
  void context_traffic(double passes) {
    if (plan_.context_parallel == 1) {
      return;
    }
    const double tokens = tokens_ * real(plan_.context_parallel);
    program_.operations.push_back(
        {.kind = OperationKind::gather,
         .stream = Stream::context,
         .part = StepPart::context_communication,
         .count = passes,
         .bytes = Bytes{storage_bytes(plan_.param_dtype) * 2.0 * tokens * kv_heads_ * d_}});
  }

  const Transformer& model_;
  const Plan& plan_;
  const Stack& stack_;
  StepProgram& program_;
  double t_;
  double h_;
  double d_;
  double tokens_;    ///< M: tokens of a micro-batch on one rank
  double kv_heads_;  ///< on one rank; replicated when there are fewer than ranks
};

double rank_layer_parameters(const Transformer& m, const Plan& plan) {
  const double t = real(plan.tensor_parallel);
  const double heads =
      2.0 * real(m.attention_heads) / t + 2.0 * std::max(1.0, real(m.kv_heads) / t);
  const double ffn = (m.gated_ffn ? 3.0 : 2.0) * real(m.ffn_hidden) / t;
  return real(m.hidden) * (heads * real(m.head_size) + ffn + 2.0);
}

/// The most layers of a stage, where chunks of units follow it.
double layers_of_longest(const Transformer& model, const Plan& plan, const Stack& stack,
                         const WeightTraffic& traffic) {
  std::int64_t most = 0;
  if (traffic.in_units && chunks_per_stage(plan) > 1) {
    for (std::int64_t stage = 0; stage < plan.pipeline_parallel; ++stage) {
      most = std::max(most, stage_layers(plan, model, stack.balance, stage));
    }
  }
  return real(most);
}

StageRun stage_run(const Transformer& model, const Plan& plan, const Stack& stack,
                   const WeightTraffic& traffic, double layers_max, std::int64_t stage) {
  const double layers = real(stage_layers(plan, model, stack.balance, stage));
  const double layer = rank_layer_parameters(model, plan);
  const double table = rank_vocabulary(model, plan) * real(model.hidden);
  StageRun run;
  run.first = stage;
  run.layers = layers;
  run.recomputed_layers = plan.recompute == Recompute::none ? 0.0
                          : plan.recompute == Recompute::every_k
                              ? std::floor(layers / real(plan.recompute_every))
                              : layers;
  run.has_embedding = stage == 0;
  run.has_head = stage == plan.pipeline_parallel - 1;
  const bool shared = model.tied_embeddings && plan.pipeline_parallel == 1;
  const double ends = (run.has_embedding ? table : 0.0) +
                      (run.has_head ? real(model.hidden) + (shared ? 0.0 : table) : 0.0);
  const bool at_end = run.has_embedding != run.has_head;
  const double missing = at_end ? std::max(layers_max - layers, 0.0) : 0.0;
  run.weights = weight_units(traffic, plan, layers, layer, ends, missing);
  if (offloads_activations(plan)) {
    run.offloaded = Bytes{kept_by_stage(model, plan, stack, layers, run.recomputed_layers)};
  }
  return run;
}

bool alike(const StageRun& run, const StageRun& next) {
  return !run.has_embedding && !next.has_head && run.layers == next.layers;
}

}  // namespace

void lower(const Transformer& model, const Plan& plan, const Cluster& cluster, const Stack& stack,
           StepProgram& program) {
  program.operations.clear();
  program.runs.clear();
  program.allocations.clear();
  program.mesh = device_mesh(plan, cluster);
  program.weights = weight_traffic(plan.sharding, plan, program.mesh.weights);
  program.micro_batches =
      real(plan.global_batch) / real(data_parallel(plan, cluster) * plan.micro_batch);
  program.stages = real(plan.pipeline_parallel);
  program.chunks = real(chunks_per_stage(plan));
  const double split = plan.sequence_parallel ? real(plan.tensor_parallel) : 1.0;
  program.boundary = Bytes{storage_bytes(plan.param_dtype) *
                           real(plan.micro_batch * model.sequence * model.hidden) /
                           (real(plan.context_parallel) * split)};
  program.offloaded_bytes_per_parameter =
      offloads_optimizer(plan) ? 4.0 + storage_bytes(plan.param_dtype) : 0.0;
  program.optimizer_bytes_per_parameter = optimizer_traffic(plan);
  program.optimizer_shards = optimizer_shards(plan.sharding, program.mesh.weights);
  BlockWriter(model, plan, stack, program).write();
  const double layers_max = layers_of_longest(model, plan, stack, program.weights);
  for (std::int64_t stage = 0; stage < plan.pipeline_parallel; ++stage) {
    const StageRun next = stage_run(model, plan, stack, program.weights, layers_max, stage);
    if (!program.runs.empty() && alike(program.runs.back(), next)) {
      ++program.runs.back().stages;
    } else {
      program.runs.push_back(next);
      add_allocations(model, plan, stack, next, program);
    }
  }
}

}  // namespace cubicbench::sim
