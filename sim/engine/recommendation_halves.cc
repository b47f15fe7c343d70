#include "sim/engine/recommendation_halves.h"

#include <algorithm>
#include <cstddef>

#include "sim/base/check.h"
#include "sim/engine/operation_time.h"
#include "sim/kernels/kernels.h"

namespace cubicbench::sim {
namespace {

StepCost block_cost(const RecommendationProgram& program, const Block& block,
                    const StepContext& on) {
  StepCost cost;
  for (const Operation& op : operations_in(block, program.operations)) {
    cost[op.part] += operation_time(op, program.group_of(op.stream), on.cluster, on.stack);
  }
  cost[StepPart::host] += host_wait(
      cost.total(), launch_time(block, on.plan.compile, on.cluster.device, on.stack), on.stack);
  return cost;
}

ArchCost arch_cost_of(StepCost cost) {
  const ArchCost of{.gemm = cost[StepPart::gemm],
                    .attention = cost[StepPart::attention],
                    .memory_bound = cost[StepPart::memory_bound],
                    .recompute = cost[StepPart::recompute],
                    .host = cost[StepPart::host],
                    .weights = cost[StepPart::data_communication],
                    .optimizer = cost[StepPart::optimizer]};
  SIM_ASSERT(of.total() == cost.total(), of.total().value, cost.total().value);
  return of;
}

void add(const ArchCost& cost, ArchCost& sum) {
  sum.gemm += cost.gemm;
  sum.attention += cost.attention;
  sum.memory_bound += cost.memory_bound;
  sum.recompute += cost.recompute;
  sum.host += cost.host;
  sum.weights += cost.weights;
  sum.optimizer += cost.optimizer;
}

/// What the step needs for its input.
StepCost input_cost(const RecommendationProgram& program, const StepContext& on, Seconds& ids) {
  StepCost input;
  for (const EmbeddingBlock id : {EmbeddingBlock::input, EmbeddingBlock::ahead}) {
    for (const Operation& op : operations_in(program[id], program.operations)) {
      const Seconds time = operation_time(op, program.tables, on.cluster, on.stack);
      input[op.part] += time;
      if (op.kind == OperationKind::all_to_all) ids += time;
    }
  }
  return input;
}

/// What the step waits for of it: all of it by default, what a prefetched batch exceeds the step
/// by, and of a pipelined one what the batch, its ids and what else runs ahead exceed the step by
/// [TorchRec, train pipelines].
void wait_for_input(const TableTime& tables, RecommendationStep& step) {
  const auto wait = [&](double share) {
    step.host += share * tables.input_host;
    step.lookup += share * tables.input_lookup;
    step.input += share * tables.input_copies;
    step.host_copies += share * tables.input_host_copies;
  };
  switch (tables.pipeline) {
    case InputPipeline::none:
      wait(1.0);
      return;
    case InputPipeline::prefetch:
      step.input += max(tables.ids, tables.input - tables.ids - step.total());
      return;
    case InputPipeline::pipelined:
      const Seconds exposed = max(Seconds{}, tables.input - step.total());
      if (exposed.value > 0.0) wait(exposed / tables.input);
      return;
  }
}

bool no_more(const Demands& a, const Demands& b) {
  return std::ranges::equal(a, b, std::ranges::less_equal());
}

bool no_more(const AliveBytes& a, const AliveBytes& b) {
  return no_more(a.state, b.state) && no_more(a.passing, b.passing);
}

bool no_longer(const TableTime& a, const TableTime& b) {
  const auto all = [](const TableTime& time) {
    return time.lookup + time.communication + time.host_copies + time.fixed;
  };
  if (a.pipeline != b.pipeline || all(a) > all(b) || a.exchange_forward > b.exchange_forward ||
      a.exchange_backward > b.exchange_backward) {
    return false;
  }
  if (a.pipeline != InputPipeline::prefetch) return a.input <= b.input;
  return a.ids <= b.ids && a.input - a.ids <= b.input - b.ids;
}

bool no_longer(const DenseTime& a, const DenseTime& b) {
  const auto all = [](const DenseTime& time) {
    return time.computing + time.host + time.weights + time.optimizer;
  };
  return all(a) + max(Seconds{}, b.forward - a.forward) + max(Seconds{}, b.backward - a.backward) <=
         all(b);
}

}  // namespace

ArchPasses arch_passes(const RecommendationProgram& program, ModuleGroup group,
                       const StepContext& on) {
  const ArchRun& run = program[group];
  StepCost forward;
  StepCost backward;
  const auto add = [&](StepCost& pass, double times, const Block& block) {
    if (times > 0.0) pass.add(times, block_cost(program, block, on));
  };
  add(forward, run.layers, run.layer.forward);
  add(backward, run.recomputed_layers, run.layer.recompute);
  add(backward, run.layers, run.layer.backward);
  // The backward pass of the last one follows its forward pass at once; every model has it.
  WeightPasses passes{.forward = forward.total(),
                      .backward = backward.total(),
                      .turns = group == ModuleGroup::over};
  add(forward, 1.0, run.entry_forward);
  add(backward, 1.0, run.entry_backward);
  passes.inputs = forward.total() - passes.forward;
  passes.inputs_backward = backward.total() - passes.backward;
  return {.forward = arch_cost_of(forward), .backward = arch_cost_of(backward), .passes = passes};
}

WeightCost arch_weights(const ArchRun& run, const StepContext& on) {
  if (run.weights.parameters <= 0.0) return {};
  return weight_cost({run.traffic, run.weights, run.groups}, WeightPasses{}.chunks, on.cluster,
                     on.stack);
}

ArchWeightTime arch_weight_time(const ArchRun& run, const WeightCost& collectives,
                                const WeightPasses& passes, const StepContext& on) {
  if (run.weights.parameters <= 0.0) return {};
  const WeightTime time = weight_time(run.traffic, run.weights, collectives, passes, on.stack);
  const Bytes streamed{optimizer_traffic(on.plan) * run.weights.parameters / run.optimizer_shards};
  return {.forward = time.forward,
          .backward = time.backward + time.after,
          .once = time.begin + time.last + time.end,
          .forward_waits = time.begin_beside,
          .optimizer = memory_bound_time(on.cluster.device, streamed)};
}

void add_arch(ModuleGroup group, const ArchPasses& layers, const ArchWeightTime& weights,
              DenseCost& cost) {
  ArchCost forward = layers.forward;
  ArchCost backward = layers.backward;
  forward.weights += weights.forward;
  backward.weights += weights.backward;
  add(forward, cost.parts);
  add(backward, cost.parts);
  cost.parts.weights += weights.once;
  cost.parts.optimizer += weights.optimizer;
  if (group != ModuleGroup::dense) return;
  cost.forward = forward.total() + weights.forward_waits;
  cost.backward = backward.total();
}

DenseCost dense_cost(const RecommendationProgram& program, const StepContext& on,
                     WeightTravel travel) {
  DenseCost cost;
  for (std::size_t i = 0; i < module_group_count; ++i) {
    const auto group = static_cast<ModuleGroup>(i);
    const ArchRun& run = program[group];
    if (run.layers <= 0.0) continue;
    const ArchPasses layers = arch_passes(program, group, on);
    const WeightCost collectives = only(travel, arch_weights(run, on));
    add_arch(group, layers, arch_weight_time(run, collectives, layers.passes, on), cost);
  }
  return cost;
}

DenseTime dense_time(const DenseCost& cost) {
  const ArchCost& parts = cost.parts;
  return {.computing = parts.gemm + parts.attention + parts.memory_bound + parts.recompute,
          .host = parts.host,
          .weights = parts.weights,
          .optimizer = parts.optimizer,
          .forward = cost.forward,
          .backward = cost.backward};
}

TableTime table_time(const RecommendationProgram& program, const StepContext& on) {
  StepCost cost;
  for (const EmbeddingBlock id : {EmbeddingBlock::fetch, EmbeddingBlock::lookup,
                                  EmbeddingBlock::update, EmbeddingBlock::average}) {
    cost.add(1.0, block_cost(program, program[id], on));
  }
  const auto total = [&](EmbeddingBlock id) {
    return block_cost(program, program[id], on).total();
  };
  TableTime time{.lookup = cost[StepPart::embedding_lookup],
                 .communication = cost[StepPart::embedding_communication],
                 .host_copies = cost[StepPart::embedding_host],
                 .fixed = cost[StepPart::embedding_fixed],
                 .exchange_forward = total(EmbeddingBlock::exchange_forward),
                 .exchange_backward = total(EmbeddingBlock::exchange_backward),
                 .pipeline = on.plan.input_pipeline};
  StepCost input = input_cost(program, on, time.ids);
  time.input = input.total();
  time.input_copies = input[StepPart::input];
  time.input_host = input[StepPart::host];
  time.input_lookup = input[StepPart::embedding_lookup];
  time.input_host_copies = input[StepPart::embedding_host];
  return time;
}

RecommendationStep joined_step(const DenseTime& dense, const TableTime& tables,
                               double retry_share) {
  RecommendationStep step{.dense = dense,
                          .host = dense.host,
                          .lookup = tables.lookup,
                          .communication = tables.communication,
                          .host_copies = tables.host_copies,
                          .fixed = tables.fixed};
  step.communication += max(Seconds{}, tables.exchange_forward - dense.forward) +
                        max(Seconds{}, tables.exchange_backward - dense.backward);
  wait_for_input(tables, step);
  if (retry_share > 0.0) step.retries = retry_share * step.total();
  return step;
}

StepCost parts_of(const RecommendationStep& step, const DenseCost& dense) {
  StepCost parts;
  parts[StepPart::gemm] = dense.parts.gemm;
  parts[StepPart::attention] = dense.parts.attention;
  parts[StepPart::memory_bound] = dense.parts.memory_bound;
  parts[StepPart::recompute] = dense.parts.recompute;
  parts[StepPart::data_communication] = dense.parts.weights;
  parts[StepPart::optimizer] = dense.parts.optimizer;
  parts[StepPart::host] = step.host;
  parts[StepPart::allocator_retries] = step.retries;
  parts[StepPart::embedding_lookup] = step.lookup;
  parts[StepPart::embedding_communication] = step.communication;
  parts[StepPart::input] = step.input;
  parts[StepPart::embedding_host] = step.host_copies;
  parts[StepPart::embedding_fixed] = step.fixed;
  return parts;
}

bool no_worse(const TableHalf& a, const TableHalf& b) {
  const auto has_room = [&](const AliveBytes& one) {
    return std::ranges::any_of(b.alive,
                               [&](const AliveBytes& other) { return no_more(one, other); });
  };
  return a.communicators <= b.communicators && no_longer(a.time, b.time) &&
         std::ranges::all_of(a.alive, has_room);
}

bool no_worse(const DenseHalf& a, const DenseHalf& b) {
  return a.communicators <= b.communicators && no_longer(a.time, b.time) &&
         no_more(a.alive, b.alive);
}

}  // namespace cubicbench::sim
