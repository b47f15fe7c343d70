#include <array>

#include "sim/engine/itemised/item_list.h"
#include "sim/engine/operation_time.h"
#include "sim/engine/recommendation_halves.h"
#include "sim/memory/memory_report.h"

namespace cubicbench::sim {
namespace {

Seconds& term(ItemisedStep& step, StepItem id) { return step.terms[static_cast<std::size_t>(id)]; }

Seconds part(const ItemisedStep& step, StepPart id) {
  return step.report.parts[static_cast<std::size_t>(id)];
}

Seconds update_time(const RecommendationProgram& program, const StepContext& on) {
  Seconds time;
  for (const Operation& op : operations_in(program[EmbeddingBlock::update], program.operations)) {
    if (op.part != StepPart::embedding_lookup) continue;
    time += operation_time(op, program.group_of(op.stream), on.cluster, on.stack);
  }
  return time;
}

Seconds exposed(const RecommendationProgram& program, WeightTravel travel, const StepContext& on) {
  return dense_cost(program, on, travel).parts.weights;
}

void add_terms(const RecommendationProgram& program, const StepContext& on, ItemisedStep& step) {
  for (std::size_t i = 0; i < step.report.parts.size(); ++i) {
    term(step, item_of(static_cast<StepPart>(i))) = step.report.parts[i];
  }
  const auto [gathers, reductions] =
      divided(part(step, StepPart::data_communication), exposed(program, WeightTravel::gathers, on),
              exposed(program, WeightTravel::reductions, on));
  term(step, StepItem::weight_gathers) = gathers;
  term(step, StepItem::gradient_reductions) = reductions;
  const Seconds rows = part(step, StepPart::embedding_lookup);
  const Seconds update = min(update_time(program, on), rows);
  term(step, StepItem::row_update) = update;
  term(step, StepItem::row_lookup) = rows - update;
  const DenseTime dense = dense_time(dense_cost(program, on));
  const TableTime tables = table_time(program, on);
  term(step, StepItem::row_exchange) = max(Seconds{}, tables.exchange_forward - dense.forward);
  term(step, StepItem::row_gradient_exchange) =
      max(Seconds{}, tables.exchange_backward - dense.backward);
  term(step, StepItem::copy_averages) = tables.communication;
}

constexpr std::array<KernelRole, module_group_count> arch_roles{
    KernelRole::dense_arch, KernelRole::sequence_arch, KernelRole::interaction_arch,
    KernelRole::over_arch};

void add_arch(const RecommendationProgram& program, std::size_t group, ItemList& items) {
  const ArchRun& run = program.archs[group];
  if (run.layers <= 0.0) return;
  const auto add = [&](const Block& block, double passes) {
    for (const Operation& op : operations_in(block, program.operations)) {
      items.add_kernel(op, passes, arch_roles[group]);
    }
  };
  add(run.entry_forward, 1.0);
  add(run.layer.forward, run.layers);
  add(run.layer.recompute, run.recomputed_layers);
  add(run.layer.backward, run.layers);
  add(run.entry_backward, 1.0);
  items.add_weights({run.traffic, run.weights, run.groups}, 1.0, 1.0);
}

/// What the collectives of a block count as.
StepItem exchange_term(EmbeddingBlock block) {
  return block == EmbeddingBlock::exchange_forward    ? StepItem::row_exchange
         : block == EmbeddingBlock::exchange_backward ? StepItem::row_gradient_exchange
         : block == EmbeddingBlock::average           ? StepItem::copy_averages
                                                      : StepItem::input;
}

bool is_collective(const Operation& op) {
  return op.kind == OperationKind::gather || op.kind == OperationKind::all_reduce ||
         op.kind == OperationKind::all_to_all;
}

void add_embedding(const RecommendationProgram& program, EmbeddingBlock block, ItemList& items) {
  const KernelRole role =
      block == EmbeddingBlock::update ? KernelRole::row_update : KernelRole::row_lookup;
  for (const Operation& op : operations_in(program[block], program.operations)) {
    if (is_collective(op)) {
      items.add_collective(op, 1.0, program.group_of(op.stream), exchange_term(block));
    } else {
      items.add_kernel(op, 1.0, role);
    }
  }
}

}  // namespace

void itemise(const RecommendationProgram& program, const StepContext& on, ItemisedStep& step) {
  add_terms(program, on, step);
  for (const ArchRun& run : program.archs) {
    if (run.layers > 0.0 && run.traffic.in_units) step.weights_in_units = true;
  }
  ItemList items(on.cluster, on.stack, step);
  for (std::size_t i = 0; i < module_group_count; ++i) add_arch(program, i, items);
  for (int i = 0; i < embedding_block_count; ++i) {
    add_embedding(program, static_cast<EmbeddingBlock>(i), items);
  }
}

}  // namespace cubicbench::sim
