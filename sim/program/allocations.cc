#include "sim/program/allocations.h"

#include <algorithm>
#include <cmath>

#include "sim/plan/fsdp.h"
#include "sim/plan/pipeline_schedule.h"

namespace cubicbench::sim {
namespace {

double real(std::int64_t value) { return static_cast<double>(value); }

constexpr std::uint8_t bit(Moment moment) {
  return static_cast<std::uint8_t>(1u << static_cast<unsigned>(moment));
}

constexpr std::uint8_t always = 0b11111;
constexpr std::uint8_t after_startup = 0b11110;
constexpr std::uint8_t in_passes = bit(Moment::forward) | bit(Moment::loss) | bit(Moment::backward);

/// No device holds 512 TiB: more is as good as this much, and all sums stay exact whole numbers.
constexpr double bytes_max = 0x1p49;

/// cuBLAS takes two 32 MiB workspaces.
constexpr Bytes matmul_workspace = 64_MiB;

class AllocationWriter {
 public:
  AllocationWriter(const Transformer& model, const Plan& plan, const Stack& stack,
                   StepProgram& program, const StageRun& run)
      : model_(model),
        plan_(plan),
        stack_(stack),
        program_(program),
        run_(run),
        sharding_(traits(plan.sharding)),
        tokens_(real(plan.micro_batch * model.sequence) / real(plan.context_parallel)) {}

  void write() {
    static_state();
    gathered_weights();
    gradients();
    activations();
    loss();
    buffers();
  }

 private:
  void add(MemoryPart part, double bytes, std::uint8_t alive) {
    if (bytes > 0.0) {
      program_.allocations.push_back({part, Bytes{std::min(std::ceil(bytes), bytes_max)}, alive});
    }
  }

  double shards() const { return real(program_.mesh.shard.ranks); }

  void static_state() {
    const double p = run_.parameters;
    const bool has_copy = storage_bytes(plan_.param_dtype) == 2.0;
    const double moments = plan_.optimizer == Optimizer::sgd ? 0.0 : 8.0;
    if (sharding_.shards_parameters) {  // FSDP: the fp32 shard is the parameter
      add(MemoryPart::parameters, 4.0 * p / shards(), always);
      add(MemoryPart::optimizer_state, moments * p / shards(), always);
      return;
    }
    const double owners = sharding_.shards_optimizer ? shards() : 1.0;
    add(MemoryPart::parameters, (has_copy ? 2.0 : 4.0) * p, always);
    add(MemoryPart::optimizer_state, ((has_copy ? 4.0 : 0.0) + moments) * p / owners, always);
  }

  void gathered_weights() {
    if (!sharding_.shards_parameters) {
      return;
    }
    const WeightTraffic& w = program_.weights;
    const double bytes = w.gather_bytes_per_parameter;
    if (!w.gather_backward) {
      add(MemoryPart::unsharded_units, bytes * run_.parameters, in_passes);
      return;
    }
    // The unit in use, the one that is prefetched, and one more when nothing limits the host.
    const bool prefetches =
        plan_.forward_prefetch || plan_.backward_prefetch != BackwardPrefetch::none;
    const double units = 1.0 + (prefetches ? 1.0 : 0.0) + (plan_.limit_all_gathers ? 0.0 : 1.0);
    const double layers = run_.parameters - run_.end_parameters;
    const double gathered = std::min(units * run_.unit_parameters, layers) + run_.end_parameters;
    add(MemoryPart::unsharded_units, bytes * gathered, in_passes);
    if (w.backward_over_reshard_group) {
      add(MemoryPart::unsharded_units, bytes * layers / real(program_.mesh.reshard.ranks),
          in_passes);
    }
  }

  void gradients() {
    const double bytes = stack_.gradient_bytes;
    const bool whole = !sharding_.shards_gradients ||
                       (plan_.accumulate_without_sync && program_.micro_batches > 1.0);
    if (whole) {
      add(MemoryPart::gradients, bytes * run_.parameters, always);
      return;
    }
    add(MemoryPart::gradients, 4.0 * run_.parameters / shards(), always);
    const double unit = std::min(run_.unit_parameters, run_.parameters);
    add(MemoryPart::gradients, bytes * std::max(unit, run_.end_parameters), bit(Moment::backward));
  }

  void activations() {
    const double layer = kept_by_layer(model_, plan_, stack_, tokens_);
    const auto micro_batches = static_cast<std::int64_t>(program_.micro_batches);
    const double alive = in_flight(plan_, micro_batches, run_.first);
    Plan all_kept = plan_;
    all_kept.recompute = Recompute::none;
    const double working_set = kept_by_layer(model_, all_kept, stack_, tokens_);
    const double recomputed = run_.recomputed_layers;
    add(MemoryPart::activations,
        (layer * recomputed + working_set * (run_.layers - recomputed)) * alive, in_passes);
    if (recomputed > 0.0) {  // one layer at a time is whole again
      add(MemoryPart::activations, std::max(0.0, working_set - layer), bit(Moment::backward));
    }
  }

  void loss() {
    if (!run_.has_head) {
      return;
    }
    const double logits = tokens_ * real(model_.vocabulary) / real(plan_.tensor_parallel);
    add(MemoryPart::logits, stack_.logits_kept_bytes * logits, bit(Moment::loss));
  }

  void buffers() {
    add(MemoryPart::workspace, matmul_workspace.value, after_startup);
    if (plan_.tensor_parallel > 1 && plan_.sequence_parallel) {
      // Two gathered inputs, whole.
      add(MemoryPart::communication_buffers,
          2.0 * storage_bytes(plan_.param_dtype) * tokens_ * real(model_.hidden), after_startup);
    }
  }

  const Transformer& model_;
  const Plan& plan_;
  const Stack& stack_;
  StepProgram& program_;
  const StageRun& run_;
  ShardingTraits sharding_;
  double tokens_;
};

/// Everything: projections and FFN divided by t; norm inputs and outputs only with sequence
/// parallelism, without it they stay whole [Korthikanti22, section 4.2].
double kept_by_whole_layer(const Transformer& model, const Plan& plan, const Stack& stack) {
  const double t = real(plan.tensor_parallel);
  const double h = real(model.hidden);
  const double ffn = model.gated_ffn ? stack.kept_per_ffn : stack.kept_per_ffn_plain;
  const double split =
      stack.kept_per_hidden * h + ffn * real(model.ffn_hidden) + 4.0 * real(model.attention_heads);
  const double norms = 0.5 * stack.kept_per_hidden * h;
  const double whole = plan.sequence_parallel ? 0.0 : norms * (1.0 - 1.0 / t);
  return split / t + whole;
}

double kept_by_unfused_scores(const Transformer& model, const Plan& plan, const Stack& stack) {
  if (stack.attention != AttentionKernel::unfused) {
    return 0.0;
  }
  return 5.0 * real(model.attention_heads) * real(model.sequence) / real(plan.tensor_parallel);
}

}  // namespace

double kept_by_layer(const Transformer& model, const Plan& plan, const Stack& stack,
                     double token_count) {
  // The kept tensors are counted in 16 bits.
  const double tokens = token_count * storage_bytes(plan.param_dtype) / 2.0;
  const double whole_layer = kept_by_whole_layer(model, plan, stack);
  const double scores = kept_by_unfused_scores(model, plan, stack);
  const double h = real(model.hidden);
  const double input = 2.0 * h / (plan.sequence_parallel ? real(plan.tensor_parallel) : 1.0);
  switch (plan.recompute) {
    case Recompute::none:
      return tokens * (whole_layer + scores);
    case Recompute::selective:
      return tokens * whole_layer;
    case Recompute::per_op: {
      // Every second product is kept, and no activation function.
      const double ffn = (model.gated_ffn ? stack.kept_per_ffn : stack.kept_per_ffn_plain) *
                         real(model.ffn_hidden) / real(plan.tensor_parallel);
      return tokens * (std::max(input, 0.5 * (whole_layer - ffn) + 0.25 * ffn) + scores);
    }
    case Recompute::full:
    case Recompute::every_k:
      return tokens * std::min(input, whole_layer);
  }
  return 0.0;
}

void write_allocations(const Transformer& model, const Plan& plan, const Stack& stack,
                       StepProgram& program, StageRun& run) {
  run.allocations_begin = static_cast<std::uint32_t>(program.allocations.size());
  AllocationWriter(model, plan, stack, program, run).write();
  run.allocations_end = static_cast<std::uint32_t>(program.allocations.size());
}

}  // namespace cubicbench::sim
