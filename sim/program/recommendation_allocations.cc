#include "sim/program/recommendation_allocations.h"

#include <algorithm>

#include "sim/base/real.h"
#include "sim/program/embedding_volume.h"

namespace cubicbench::sim {
namespace {

/// Batches whose ids are on the device at once: pipelining copies one and distributes another while
/// a third is computed [TorchRec, train pipelines].
double batches_of_ids(InputPipeline pipeline) {
  switch (pipeline) {
    case InputPipeline::none:
      return 1.0;
    case InputPipeline::prefetch:
      return 2.0;
    case InputPipeline::pipelined:
      return 3.0;
  }
  return 1.0;
}

/// Bytes that the tables of one class of ranks take, and the tensors of a step that they cause.
struct TableMemory {
  double weights = 0.0;
  double state = 0.0;
  double gradients = 0.0;  ///< of replicas, which are dense
  double ids = 0.0;        ///< received, of one batch
  double pooled_forward = 0.0;
  double pooled_backward = 0.0;
};

TableMemory memory_of(const RecommendationProgram& program, const RankClass& ranks,
                      const Plan& plan) {
  const TableSharding& sharding = program.sharding;
  TableMemory sum;
  for (std::size_t i = 0; i < sharding.groups; ++i) {
    const TableShards& shards = sharding.shards[i];
    const bool whole = shards.layout == TableLayout::whole;
    const double count = real(whole ? ranks.held[i] : shards.count);
    const EmbeddingVolume& volume = program.volumes[i];
    sum.weights += count * embedding_weights(shards, plan).value;
    sum.state += count * embedding_state(shards, plan).value;
    sum.gradients += count * volume.reduced.value;
    sum.ids += count * volume.ids.value;
    sum.pooled_forward += count * volume.forward.value;
    sum.pooled_backward += count * volume.backward.value;
  }
  return sum;
}

class RankWriter {
 public:
  RankWriter(const Recommendation& model, const Plan& plan, const Stack& stack,
             RecommendationProgram& program)
      : model_(model), plan_(plan), stack_(stack), program_(program) {}

  void write(const RankClass& ranks) {
    program_.allocations.begin_holder(ranks.first);
    tables(memory_of(program_, ranks, plan_));
    // The dense arch runs beside the exchanges, the over arch between them.
    const Moments exchanges = at(Moment::embedding_forward) | at(Moment::embedding_backward);
    arch(model_.dense, plan_.dense_sharding, program_.dense, in_passes | exchanges);
    arch(model_.over, plan_.over_sharding, program_.over, in_passes);
    add(MemoryPart::workspace, matmul_workspace.value, after_startup);
  }

 private:
  void add(MemoryPart part, double bytes, Moments alive) {
    program_.allocations.add(part, bytes, alive);
  }

  void tables(const TableMemory& memory) {
    add(MemoryPart::embedding_tables, memory.weights, always);
    add(MemoryPart::embedding_optimizer_state, memory.state, always);
    add(MemoryPart::gradients, memory.gradients,
        at(Moment::embedding_backward) | at(Moment::optimizer_step));
    const double batches = batches_of_ids(plan_.input_pipeline);
    const double own_ids = id_bytes * real(plan_.batch_per_gpu) * ids_per_sample(model_);
    // The batch that is computed has left its undistributed ids behind.
    const double distributed = std::max(1.0, batches - 1.0);
    const auto part = MemoryPart::embedding_activations;
    add(part, batches * own_ids + distributed * memory.ids, after_startup);
    add(part, memory.pooled_forward, at(Moment::embedding_forward));
    add(part, memory.pooled_backward, at(Moment::embedding_backward));
    // What the over arch reads, and from its backward pass on the gradient.
    const double received =
        real(plan_.batch_per_gpu) * real(pooled_width(model_)) * storage_bytes(plan_.param_dtype);
    add(part, received, at(Moment::embedding_forward) | in_passes);
    add(part, received, at(Moment::backward) | at(Moment::embedding_backward));
  }

  void arch(const DenseArch& arch, Sharding sharding, const ArchRun& run, Moments alive) {
    add_weight_allocations(run.weights, sharding, run.traffic, run.groups, plan_, stack_, false,
                           program_.allocations);
    const double b = real(plan_.batch_per_gpu);
    const double layer = b * kept_by_layer(arch, plan_, plan_.recompute);
    const double whole = b * kept_by_layer(arch, plan_, Recompute::none);
    const double recomputed = run.recomputed_layers;
    add(MemoryPart::activations, layer * recomputed + whole * (run.layers - recomputed), alive);
    if (recomputed > 0.0) {  // one layer at a time is whole again
      add(MemoryPart::activations, whole - layer, at(Moment::backward));
    }
  }

  const Recommendation& model_;
  const Plan& plan_;
  const Stack& stack_;
  RecommendationProgram& program_;
};

}  // namespace

double kept_by_layer(const DenseArch& arch, const Plan& plan, Recompute recompute) {
  const double element = storage_bytes(plan.param_dtype);
  const double h = real(arch.width);
  const double f = real(arch.ffn_hidden);
  switch (recompute) {
    case Recompute::none:
    case Recompute::per_op:  // not for recommendation models
      return element * (2.0 * h + 2.0 * f);
    case Recompute::selective:
      return element * (h + f);
    case Recompute::full:
    case Recompute::every_k:
      return element * h;
  }
  return 0.0;
}

void add_allocations(const Recommendation& model, const Plan& plan, const Stack& stack,
                     RecommendationProgram& program) {
  program.allocations.clear();
  RankWriter writer(model, plan, stack, program);
  for (const RankClass& ranks : program.sharding.classes) {
    writer.write(ranks);
  }
}

}  // namespace cubicbench::sim
