#include <algorithm>
#include <vector>

#include "sim/base/units.h"
#include "sim/program/lower_recommendation.h"
#include "sim/program/slowest_rank.h"

namespace cubicbench::sim {
namespace {

/// Batches whose ids are on the device at once: pipelining copies one and distributes another while
/// a third is computed [TorchRec, train pipelines].
double batches_of_ids(InputPipeline pipeline) {
  return pipeline == InputPipeline::none ? 1.0 : pipeline == InputPipeline::prefetch ? 2.0 : 3.0;
}

void add(TableMemory& sum, double count, const TableMemory& one) {
  sum.weights += count * one.weights;
  sum.rows += count * one.rows;
  sum.elements += count * one.elements;
  sum.state += count * one.state;
  sum.gradients += count * one.gradients;
  sum.ids += count * one.ids;
  sum.pooled_forward += count * one.pooled_forward;
  sum.pooled_backward += count * one.pooled_backward;
}

TableMemory memory_of(const TableShards& shards, const EmbeddingVolume& volume, const Plan& plan) {
  const double on_device = device_share(shards, plan);
  // Rows as they come, before each is repeated for the ids that asked.
  const double arrived = volume.unique.value > 0.0 ? volume.received_forward.value : 0.0;
  return {.weights = on_device * shard_weights(shards, plan),
          .rows = on_device * real(shards.rows),
          .elements = on_device * real(shards.rows) * real(shards.width),
          .state = on_device * shard_state(shards, plan),
          .gradients = volume.reduced.value,
          .ids = volume.ids.value,
          .pooled_forward = arrived + std::max({volume.sent_forward.value,
                                                volume.node_forward.value, volume.scattered.value}),
          .pooled_backward = std::max(
              {volume.sent_backward.value, volume.node_backward.value, volume.gathered.value})};
}

/// What all ranks hold of tables that are not placed; fills the memory of one shard of each group.
TableMemory shared_memory(const Plan& plan, const TableSharding& sharding,
                          RecommendationProgram& program) {
  TableMemory shared;
  program.shard_memory.resize(sharding.shards.size());
  for (std::size_t i = 0; i < sharding.shards.size(); ++i) {
    const TableShards& shards = sharding.shards[i];
    program.shard_memory[i] = memory_of(shards, program.volumes[i], plan);
    if (!is_placed(shards)) add(shared, real(shards.count), program.shard_memory[i]);
  }
  return shared;
}

TableMemory with_shards_of(const RankClass& ranks, TableMemory memory,
                           const TableSharding& sharding, const RecommendationProgram& program) {
  const auto held = sharding.held_by(ranks);
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (held[i] > 0) add(memory, real(held[i]), program.shard_memory[i]);
  }
  return memory;
}

/// Of whom no byte is missing in the other at any moment.
bool is_covered(const TableMemory& by, const TableMemory& one) {
  return by.weights >= one.weights && by.rows >= one.rows && by.elements >= one.elements &&
         by.state >= one.state && by.ids >= one.ids && by.pooled_forward >= one.pooled_forward &&
         by.pooled_backward >= one.pooled_backward;
}

/// Of one class of ranks.
void write_tables(const Recommendation& model, const Plan& plan, const Stack& stack,
                  const TableMemory& memory, AllocationTable& table) {
  const double beside =
      stack.table_row_bytes * memory.rows + stack.table_copy_bytes * memory.elements;
  table.add(MemoryPart::embedding_tables, memory.weights + beside, always);
  table.add(MemoryPart::embedding_optimizer_state, memory.state, always);
  table.add(MemoryPart::gradients, memory.gradients,
            at(Moment::embedding_backward) | at(Moment::optimizer_step));
  const double batches = batches_of_ids(plan.input_pipeline);
  const double own_ids = id_bytes * real(plan.batch_per_gpu) * ids_per_sample(model);
  // The batch that is computed has left its undistributed ids behind.
  const double distributed = std::max(1.0, batches - 1.0);
  const auto part = MemoryPart::embedding_activations;
  table.add(part, batches * own_ids + distributed * memory.ids, after_startup);
  table.add(part, memory.pooled_forward, at(Moment::embedding_forward));
  table.add(part, memory.pooled_backward, at(Moment::embedding_backward));
  // What the over arch reads, and from its backward pass on the gradient.
  const double received =
      real(plan.batch_per_gpu) * exchanged_width(model) * storage_bytes(plan.param_dtype);
  table.add(part, received, at(Moment::embedding_forward) | in_passes);
  table.add(part, received, at(Moment::backward) | at(Moment::embedding_backward));
}

/// Bytes that one layer, recomputed as said, keeps of one sample for its backward pass, in the type
/// of parameters. Activation functions and norms are dropped with attention.
double kept_by_layer(const LayerWork& layer, const Plan& plan, Recompute recompute) {
  const KeptTensors kept{.input = layer.kept_full,
                         .all = layer.kept_selective,
                         .scores = layer.kept - layer.kept_selective,
                         .norms = layer.kept_norms};
  return storage_bytes(plan.param_dtype) * kept_of(kept, traits(recompute));
}

}  // namespace

void add_arch_weights(const ArchRun& run, Sharding sharding, const Plan& plan, const Stack& stack,
                      AllocationTable& table) {
  add_weight_allocations(run.weights, sharding, run.traffic, run.groups, plan, stack, false, table);
}

void add_arch_activations(const ArchWork& work, double recomputed_layers, ModuleGroup group,
                          const Plan& plan, std::int64_t ranks, AllocationTable& table) {
  // The dense arch runs beside the exchanges, the others between them.
  const Moments exchanges = at(Moment::embedding_forward) | at(Moment::embedding_backward);
  const Moments alive = group == ModuleGroup::dense ? in_passes | exchanges : in_passes;
  const double b = real(plan.batch_per_gpu) * slowest_rank(work, plan, ranks).tokens;
  const double layer = b * kept_by_layer(work.layer, plan, plan.recompute);
  const double whole = b * kept_by_layer(work.layer, plan, Recompute::none);
  const double kept_whole = work.layers - recomputed_layers;
  table.add(MemoryPart::activations, layer * recomputed_layers + whole * kept_whole, alive);
  table.add(MemoryPart::activations, b * kept_by_layer(work.entry, plan, Recompute::none), alive);
  if (recomputed_layers > 0.0) {  // one layer at a time is whole again
    table.add(MemoryPart::activations, whole - layer, at(Moment::backward));
  }
}

void add_dense_workspace(AllocationTable& table) {
  table.add(MemoryPart::workspace, matmul_workspace.value, after_startup);
}

void add_dense_allocations(const Plan& plan, const Stack& stack, RecommendationProgram& program) {
  AllocationTable& table = program.dense_allocations;
  table.clear();
  table.begin_holder(0);
  for (std::size_t i = 0; i < module_group_count; ++i) {
    const ArchRun& run = program.archs[i];
    if (run.layers <= 0.0) continue;
    const auto group = static_cast<ModuleGroup>(i);
    add_arch_weights(run, sharding_of(plan, group), plan, stack, table);
    add_arch_activations(program.works[i], run.recomputed_layers, group, plan, program.world.ranks,
                         table);
  }
  add_dense_workspace(table);
}

void hold_tables(const Plan& plan, const TableSharding& sharding, RecommendationProgram& program) {
  // Ranks that need less than others whatever the moment cannot be where memory peaks.
  std::vector<HeldMemory>& held = program.load.held;
  held.clear();
  const TableMemory shared = shared_memory(plan, sharding, program);
  for (const RankClass& ranks : sharding.classes) {
    const TableMemory memory = with_shards_of(ranks, shared, sharding, program);
    const auto covers = [&](const HeldMemory& other) { return is_covered(other.tables, memory); };
    if (std::ranges::any_of(held, covers)) continue;
    std::erase_if(held, [&](const HeldMemory& other) { return is_covered(memory, other.tables); });
    held.push_back({ranks.first, memory});
  }
}

void add_table_allocations(const Recommendation& model, const Plan& plan, const Stack& stack,
                           RecommendationProgram& program) {
  program.table_allocations.clear();
  for (const HeldMemory& one : program.load.held) {
    program.table_allocations.begin_holder(one.first);
    write_tables(model, plan, stack, one.tables, program.table_allocations);
  }
}

void join_allocations(RecommendationProgram& program) {
  const AllocationTable& dense = program.dense_allocations;
  const AllocationTable& tables = program.table_allocations;
  program.allocations.clear();
  for (const Holder& holder : tables.holders()) {
    program.allocations.begin_holder(holder.first);
    program.allocations.append(tables.of(holder));
    program.allocations.append(dense.of(dense.holders().front()));
  }
}

}  // namespace cubicbench::sim
