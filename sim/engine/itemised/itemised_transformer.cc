#include <vector>

#include "sim/engine/bare_step.h"
#include "sim/engine/itemised/item_list.h"
#include "sim/engine/itemised/itemised_traffic.h"
#include "sim/engine/stage_cost.h"
#include "sim/plan/split_shape.h"

namespace cubicbench::sim {
namespace {

/// Micro-batches that pass through each chunk of a stage: of DualPipe's two directions half of them
/// each, both over the stage's layers.
double slots_of(const StepProgram& program, const StepContext& on) {
  if (!splits_backward(on.plan.schedule)) return program.micro_batches;
  const SplitShape shape = split_shape(on.plan, static_cast<std::int64_t>(program.micro_batches));
  return static_cast<double>(shape.micro_batches);
}

/// Times of one kind of collectives over the weights of each run.
std::vector<WeightCost> weights_of(const StepProgram& program, WeightTravel travel,
                                   const StepContext& on) {
  std::vector<WeightCost> costs;
  for (const StageRun& run : program.runs) {
    costs.push_back(only(travel, weight_cost(program, run, on.cluster, on.stack)));
  }
  return costs;
}

/// What collectives over weights add to the step of a stage if only those of `travel` take time.
Seconds exposed(const StepProgram& program, std::size_t run, const BlockCosts& blocks, Seconds hop,
                WeightTravel travel, const StepContext& on) {
  const std::vector<WeightCost> weights = weights_of(program, travel, on);
  StageCost stage = stage_cost(program, run, blocks, weights, hop, on);
  return slots_of(program, on) * stage.slot[StepPart::data_communication] +
         stage.once[StepPart::data_communication];
}

/// Every part is a term but those that are divided.
void add_terms(const StepProgram& program, std::size_t run, const BlockCosts& blocks, Seconds hop,
               const StepContext& on, ItemisedStep& step) {
  for (std::size_t i = 0; i < step.report.parts.size(); ++i) {
    const auto part = static_cast<StepPart>(i);
    step.terms[static_cast<std::size_t>(item_of(part))] = step.report.parts[i];
  }
  const Seconds weights = step.report.parts[static_cast<std::size_t>(StepPart::data_communication)];
  const auto [gathers, reductions] =
      divided(weights, exposed(program, run, blocks, hop, WeightTravel::gathers, on),
              exposed(program, run, blocks, hop, WeightTravel::reductions, on));
  step.terms[static_cast<std::size_t>(StepItem::weight_gathers)] = gathers;
  step.terms[static_cast<std::size_t>(StepItem::gradient_reductions)] = reductions;
}

void add_blocks(const StepProgram& program, const StageRun& run, const StepContext& on,
                ItemList& items) {
  const PerBlock<double> passes = block_passes(run, on.plan);
  const auto add = [&](const Block& block, double times_each) {
    const double times = times_each * slots_of(program, on);
    if (times <= 0.0) return;
    const bool of_head = &block == &program.blocks.head;
    for (const Operation& op : operations_in(block, program.operations)) {
      const bool is_local = op.stream == Stream::compute || op.stream == Stream::expert_storage;
      if (is_local) {
        items.add_kernel(op, times, of_head ? KernelRole::head : KernelRole::other);
      } else {
        items.add_collective(op, times, group_of(program.mesh, op.stream), item_of(op.part));
      }
    }
  };
  for_each_block(add, program.blocks, passes);
}

void itemise(StepProgram& program, const StepContext& on, ItemDetail detail, ItemisedStep& step) {
  const BlockCosts blocks = block_costs(program, on);
  const BareStep bare = bare_step(program, blocks, {}, on);
  const StageRun& run = program.runs[bare.run];
  const CollectiveCost hop = collective_cost(Collective::send_receive, program.boundary,
                                             program.mesh.pipeline, on.cluster.network);
  step.stage = run.first;
  step.stages = static_cast<std::int64_t>(program.stages);
  step.chunks = program.chunks;
  step.weights_in_units = program.weights.in_units;
  add_terms(program, bare.run, blocks, hop.time, on, step);
  ItemList items(on.cluster, on.stack, step, detail);
  add_blocks(program, run, on, items);
  items.add_weights({program.weights, run.weights, program.mesh.weights}, program.chunks,
                    slots_of(program, on));
  items.add_weights({program.expert_weights, run.expert_weights, program.mesh.expert_weights},
                    program.chunks, slots_of(program, on));
  items.add({.term = StepItem::pipeline_communication,
             .pattern = Pattern::send_receive,
             .group = program.mesh.pipeline,
             .count = bare.messages,
             .bytes = program.boundary,
             .time = bare.messages * hop.time});
}

}  // namespace

void itemise(StepProgram& program, const StepContext& on, ItemisedStep& step) {
  itemise(program, on, ItemDetail::all, step);
}

ItemisedStep itemised_traffic(StepProgram& program, const StepReport& report,
                              const StepContext& on) {
  ItemisedStep step;
  step.report = report;
  itemise(program, on, ItemDetail::traffic, step);
  return step;
}

}  // namespace cubicbench::sim
