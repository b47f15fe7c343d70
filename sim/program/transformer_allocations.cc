#include <algorithm>

#include "sim/base/units.h"
#include "sim/plan/pipeline_schedule.h"
#include "sim/program/expert_share.h"
#include "sim/program/kept_activations.h"
#include "sim/program/lower_transformer.h"

namespace cubicbench::sim {
namespace {

/// What one rank of a run of stages keeps beside its weights.
template <typename Table>
class ActivationWriter {
 public:
  ActivationWriter(const Transformer& model, const Plan& plan, const Stack& stack,
                   const StepProgram& program, const StageRun& run, const KeptByKinds& kept,
                   Table& table)
      : model_(model),
        plan_(plan),
        stack_(stack),
        program_(program),
        run_(run),
        tokens_(micro_batch_tokens(model, plan)),
        kinds_(kept),
        kept_(kept_by_stage(kept, run)),
        table_(table) {}

  void write() {
    activations();
    loss();
    returned_gradients();
    pass_gradients();
    buffers();
    if (program_.matrix_update.steps > 0) orthogonalised();
  }

 private:
  void add(MemoryPart part, double bytes, Moments alive) { table_.add(part, bytes, alive); }

  double largest_layer(const PerKind<double>& kept) const {
    double largest = 0.0;
    for (std::size_t i = 0; i < layer_kinds_max; ++i) {
      if (run_.kinds[i].layers > 0.0) largest = std::max(largest, kept[i]);
    }
    return largest;
  }

  void activations() {
    const double layer = largest_layer(kinds_.recomputed);
    const double whole = largest_layer(kinds_.whole);
    const auto micro_batches = static_cast<std::int64_t>(program_.micro_batches);
    const double alive = in_flight(plan_, micro_batches, run_.first);
    const double recomputed = run_.recomputed_layers;
    const double kept = kept_ * alive;
    // On the host but for the layer that computes and the one whose copy is under way.
    const double largest = recomputed < run_.layers ? whole : layer;
    const double on_device = offloads_activations(plan_) ? std::min(kept, 2.0 * largest) : kept;
    add(MemoryPart::activations, on_device, in_passes);
    waiting_outputs(alive);
    if (recomputed > 0.0) {  // one layer at a time is whole again
      add(MemoryPart::activations, std::max(0.0, whole - layer), at(Moment::backward));
    }
  }

  /// Outputs of the stage's micro-batches in flight, where they are kept until these are done.
  void waiting_outputs(double alive) {
    if (plan_.pipeline_parallel > 1) {
      const double split = plan_.sequence_parallel ? real(plan_.tensor_parallel) : 1.0;
      add(MemoryPart::activations,
          stack_.kept_per_micro_batch * tokens_ * real(model_.hidden) * alive / split, in_passes);
    }
  }

  void loss() {
    if (!run_.has_head) return;
    const double logits = tokens_ * real(model_.vocabulary) /
                          (stack_.logits_split ? real(plan_.tensor_parallel) : 1.0);
    // Passes over the head follow one another, and their backward passes follow them all.
    add(MemoryPart::logits, run_.head_passes * stack_.logits_kept_bytes * logits, at(Moment::loss));
    // GPipe has the losses of all micro-batches before a backward pass: one fp32 block each waits.
    if (traits(plan_.schedule).forward_first && plan_.pipeline_parallel > 1) {
      add(MemoryPart::logits,
          std::min(4.0, stack_.logits_kept_bytes) * logits * (program_.micro_batches - 1.0),
          in_passes);
    }
  }

  double layers_trained(const WeightUnits& weights) const {
    return has_adapters(model_) ? trained_parameters(weights)
                                : weights.parameters - weights.end_parameters;
  }

  /// What products return as the gradient of a weight whose gradient they have added up already:
  /// one for each matrix of a layer, kept for all layers; the head's only while it is needed.
  void returned_gradients() {
    const double bytes = stack_.returned_gradient_bytes;
    if (run_.layers > 0.0) {
      const WeightUnits& weights = run_.weights;
      add(MemoryPart::gradients, bytes * layers_trained(weights) / run_.layers, after_startup);
    }
    if (run_.expert_weights.parameters > 0.0 && !stores_experts(plan_)) {
      add(MemoryPart::gradients,
          bytes * run_.expert_weights.parameters / run_.expert_weights.layers, after_startup);
    }
    if (run_.has_head && !has_adapters(model_)) {
      add(MemoryPart::gradients,
          bytes * real(model_.vocabulary * model_.hidden) / real(plan_.tensor_parallel),
          at(Moment::loss));
    }
  }

  /// They grow while the micro-batch's own activations go: what is more by its end.
  void pass_gradients() {
    const double gone = offloads_activations(plan_) ? 0.0 : kept_;
    const double experts = stores_experts(plan_) ? 0.0 : run_.expert_weights.parameters;
    const double gradients =
        stack_.pass_gradient_bytes * (trained_parameters(run_.weights) + experts);
    add(MemoryPart::gradients, gradients - gone, at(Moment::backward));
  }

  void buffers() {
    add(MemoryPart::workspace, matmul_workspace.value, after_startup);
    if (plan_.quantize_base) widened();
    add(MemoryPart::workspace,
        stack_.rotary_table_bytes * real(model_.sequence * model_.head_size) * run_.layers, always);
    if (plan_.tensor_parallel > 1 && plan_.sequence_parallel) {
      // Two gathered inputs, whole.
      add(MemoryPart::communication_buffers,
          2.0 * storage_bytes(plan_.param_dtype) * tokens_ * real(model_.hidden), after_startup);
    }
    if (run_.expert_weights.parameters > 0.0 && plan_.expert_parallel > 1) {
      // Copies of tokens as they are sent, and as they arrive.
      add(MemoryPart::communication_buffers,
          2.0 * storage_bytes(plan_.param_dtype) * expert_share(model_, plan_).copies *
              real(expert_hidden(model_)),
          after_startup);
    }
  }

  /// The weights of one product at a time, in the format that it reads.
  void widened() {
    double largest = 0.0;
    for (const ProductWidths& one : adaptable_products(model_)) {
      largest = std::max(largest, one.inputs * one.outputs);
    }
    add(MemoryPart::workspace,
        storage_bytes(plan_.param_dtype) * largest / real(plan_.tensor_parallel), in_passes);
  }

  /// One matrix after the other is whole.
  void orthogonalised() {
    const MatrixUpdate& update = program_.matrix_update;
    double largest = 0.0;
    for (std::size_t i = 0; i < layer_kinds_max; ++i) {
      if (run_.kinds[i].layers == 0.0) continue;
      largest = std::max(largest, orthogonalising_bytes(update.layers[i]));
    }
    if (run_.expert_weights.parameters > 0.0) {
      largest = std::max(largest, orthogonalising_bytes(update.experts));
    }
    add(MemoryPart::workspace, largest, at(Moment::optimizer_step));
  }

  const Transformer& model_;
  const Plan& plan_;
  const Stack& stack_;
  const StepProgram& program_;
  const StageRun& run_;
  double tokens_;
  const KeptByKinds& kinds_;
  double kept_;  ///< for the backward pass of one micro-batch
  Table& table_;
};

/// Ranks of the stage that holds the same weights share their state with those of the stage.
template <typename Table>
void add_weights(const WeightUnits& weights, const WeightTraffic& traffic,
                 const WeightGroups& groups, const Plan& plan, const Stack& stack, bool accumulates,
                 Table& table) {
  const auto add = [&](const WeightGroups& sharing) {
    add_weight_allocations(weights, plan.sharding, traffic, sharing, plan, stack, accumulates,
                           table);
  };
  const std::int64_t copies = weight_copies(plan);
  if (copies == 1) return add(groups);
  WeightGroups sharing = groups;
  sharing.shard.ranks *= copies;
  sharing.replica.ranks *= copies;
  add(sharing);
}

template <typename Table>
void add_all_weights(const Transformer& model, const Plan& plan, const Stack& stack,
                     const StepProgram& program, const StageRun& run, Table& table) {
  const bool accumulates = program.micro_batches > 1.0;
  add_weights(run.weights, program.weights, program.mesh.weights, plan, stack, accumulates, table);
  const bool has_experts = run.expert_weights.parameters > 0.0;
  if (has_experts && stores_experts(plan)) {
    table.add(MemoryPart::parameters, stored_experts_weights(model, plan), always);
    table.add(MemoryPart::gradients, stored_experts_gradients(model, plan), at(Moment::backward));
  } else if (has_experts) {
    add_weights(run.expert_weights, program.expert_weights, program.mesh.expert_weights, plan,
                stack, accumulates, table);
  }
}

}  // namespace

void lower_allocations(const Transformer& model, const Plan& plan, const Stack& stack,
                       StepProgram& program) {
  const KeptByKinds kept = kept_by_kinds(model, plan, stack);
  program.allocations.clear();
  for (const StageRun& run : program.runs) {
    program.allocations.begin_holder(run.first);
    add_all_weights(model, plan, stack, program, run, program.allocations);
    ActivationWriter(model, plan, stack, program, run, kept, program.allocations).write();
  }
}

void add_alive_weights(const Transformer& model, const Plan& plan, const Stack& stack,
                       const StepProgram& program, const StageRun& run, AliveBytes& alive) {
  add_all_weights(model, plan, stack, program, run, alive);
}

void add_alive_activations(const Transformer& model, const Plan& plan, const Stack& stack,
                           const StepProgram& program, const StageRun& run, const KeptByKinds& kept,
                           AliveBytes& alive) {
  ActivationWriter(model, plan, stack, program, run, kept, alive).write();
}

}  // namespace cubicbench::sim
