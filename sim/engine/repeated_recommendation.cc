#include "sim/engine/repeated_recommendation.h"

#include <cmath>

#include "sim/base/check.h"
#include "sim/memory/memory_report.h"
#include "sim/memory/peak_memory.h"
#include "sim/plan/plan_key.h"
#include "sim/plan/validity.h"
#include "sim/program/lower_recommendation.h"

namespace cubicbench::sim {
namespace {

/// Halves of tables, about 100 MB when there are so many.
constexpr std::size_t tables_max = std::size_t{1} << 18;
/// What batches make of placed tables, of about 300 bytes.
constexpr std::size_t loads_max = std::size_t{1} << 16;
/// Dense halves. Who asks at random comes back to them where they are few, who walks in order soon;
/// others are put together from their parts in less time than a larger table takes to answer.
constexpr std::size_t dense_max = std::size_t{1} << 11;
/// Of parts of a half, a kilobyte each; models have a few thousand.
constexpr std::size_t parts_max = std::size_t{1} << 14;
/// Times of weights beside passes, of 50 bytes.
constexpr std::size_t weight_times_max = std::size_t{1} << 16;

/// All that write_arch_blocks() and the time of its blocks read.
ArchPassesKey passes_key(ModuleGroup group, bool regathers, const Plan& plan) {
  return {two_settings(plan.batch_per_gpu, plan.recompute_every),
          packed_choices(group, plan.dtype, plan.param_dtype, plan.recompute, plan.compile,
                         regathers, plan.length_balancing)};
}

/// All that place_arch(), the collectives and the time of weights read, except what recomputes
/// layers: of each mode of sharding what it reads.
ArchWeightsKey weights_key(ModuleGroup group, Sharding sharding, const Plan& plan) {
  const ShardingTraits mode = traits(sharding);
  const BackwardPrefetch prefetch =
      gathers_twice(sharding, plan) ? plan.backward_prefetch : BackwardPrefetch{};
  return {two_settings(mode.in_groups ? plan.shard_group : 0,
                       mode.shards_parameters ? plan.reshard_after_forward : 0),
          two_settings(mode.shards_parameters ? plan.wrap : 0, 0),
          packed_choices(group, sharding, plan.param_dtype, plan.reduce_dtype, plan.optimizer,
                         prefetch)};
}

/// Row of `PlacedArch::alive`: what else weights in memory depend on.
std::size_t ahead_row(const Plan& plan) {
  return (plan.forward_prefetch ? 1 : 0) + (plan.limit_all_gathers ? 2 : 0);
}

/// All that load_tables() reads.
TableLoadKey load_key(const Plan& plan, std::uint64_t placing) {
  return {placing, two_settings(plan.batch_per_gpu, plan.index_dedup ? 1 : 0)};
}

Bytes rounded_up(Bytes bytes) { return Bytes{std::ceil(bytes.value)}; }

/// What `peak_memory` says of ranks whose allocations are in two parts, where it matters to a
/// verdict. The largest of what is rounded up is the largest, rounded up.
MemoryReport joined_memory(const DenseHalf& dense, const TableHalf& tables, const Device& device,
                           const Stack& stack) {
  constexpr auto start = static_cast<std::size_t>(Moment::startup);
  MemoryReport report;
  for (const AliveBytes& alive : tables.alive) {
    Demands demand;
    for (std::size_t i = 0; i < demand.size(); ++i) {
      demand[i] = demand_for(dense.alive.state[i] + alive.state[i],
                             dense.alive.passing[i] + alive.passing[i], stack);
    }
    report.demand_at_start = max(report.demand_at_start, demand[start]);
    for (const Bytes at_moment : demand) report.demand = max(report.demand, at_moment);
  }
  report.demand_at_start = rounded_up(report.demand_at_start);
  report.demand = rounded_up(report.demand);
  report.capacity = allocator_capacity(device, dense.communicators + tables.communicators, stack);
  return report;
}

}  // namespace

DenseKey dense_key(const Plan& plan) {
  return {two_settings(plan.batch_per_gpu, plan.shard_group),
          two_settings(plan.reshard_after_forward, plan.wrap),
          two_settings(plan.recompute_every, 0),
          packed_choices(plan.dense_sharding, plan.sequence_sharding, plan.interaction_sharding,
                         plan.over_sharding, plan.backward_prefetch, plan.dtype, plan.param_dtype,
                         plan.reduce_dtype, plan.optimizer, plan.offload, plan.recompute,
                         plan.forward_prefetch, plan.limit_all_gathers, plan.compile,
                         plan.length_balancing)};
}

TableKey table_key(const Plan& plan, std::uint64_t placing) {
  return {two_settings(plan.batch_per_gpu, plan.embedding_sync_interval),
          placing << 16 | packed_choices(plan.input_pipeline, plan.param_dtype,
                                         plan.length_balancing, plan.index_dedup)};
}

RepeatedRecommendation::RepeatedRecommendation(const Recommendation& model, const Cluster& cluster,
                                               const Stack& stack)
    : model_(model),
      cluster_(cluster),
      stack_(stack),
      placed_(model, cluster),
      workspace_(alive([](AllocationTable& table) { add_dense_workspace(table); })),
      passes_(parts_max),
      archs_(parts_max),
      weight_times_(weight_times_max),
      loads_(loads_max),
      dense_(dense_max),
      tables_(tables_max) {
  place_world(cluster_, program_);
  for (std::size_t i = 0; i < module_group_count; ++i) {
    program_.works[i] = arch_work(model_, static_cast<ModuleGroup>(i));
  }
}

/// Of what `add` writes into a table.
template <typename Add>
AliveBytes RepeatedRecommendation::alive(Add add) {
  AllocationTable& table = program_.dense_allocations;
  table.clear();
  table.begin_holder(0);
  add(table);
  return alive_bytes(table.of(table.holders().front()));
}

DenseHalf RepeatedRecommendation::make_dense(const Plan& plan) {
  DenseHalf half;
  half.valid = !check_dense(plan, model_, cluster_);
  if (!half.valid) return half;
  half.alive = workspace_;
  half.communicators = dense_communicators(program_, plan, cluster_.gpus);
  DenseCost cost;
  for (std::size_t i = 0; i < module_group_count; ++i) {
    if (program_.works[i].layers > 0.0) add_arch_of(static_cast<ModuleGroup>(i), plan, cost, half);
  }
  half.time = dense_time(cost);
  return half;
}

void RepeatedRecommendation::add_arch_of(ModuleGroup group, const Plan& plan, DenseCost& cost,
                                         DenseHalf& half) {
  const Sharding sharding = sharding_of(plan, group);
  const PlacedArch& placed =
      archs_.get(weights_key(group, sharding, plan), [&] { return make_placed(group, plan); });
  const PassedArch& passed = passes_.get(passes_key(group, gathers_twice(sharding, plan), plan),
                                         [&] { return make_passes(group, placed, plan); });
  const ArchWeightTime& weights =
      weight_times_.get({placed.number | std::uint64_t{passed.number} << 32}, [&] {
        return arch_weight_time(placed.run, placed.collectives, passed.passes.passes,
                                {cluster_, stack_, plan});
      });
  add_arch(group, passed.passes, weights, cost);
  half.alive = together(together(half.alive, passed.activations), placed.alive[ahead_row(plan)]);
  half.resident += placed.resident;
}

RepeatedRecommendation::PlacedArch RepeatedRecommendation::make_placed(ModuleGroup group,
                                                                       const Plan& plan) {
  const Sharding sharding = sharding_of(plan, group);
  PlacedArch made{.number = ++numbers_, .resident = {}, .alive = {}, .run = {}, .collectives = {}};
  ArchRun& run = made.run;
  place_arch(program_.works[static_cast<std::size_t>(group)], sharding, plan, cluster_,
             program_.world, run);
  made.resident = resident_bytes(run, plan);
  made.collectives = arch_weights(run, {cluster_, stack_, plan});
  Plan ahead = plan;
  for (const bool prefetches : {false, true}) {
    for (const bool limits : {false, true}) {
      ahead.forward_prefetch = prefetches;
      ahead.limit_all_gathers = limits;
      run.traffic = weight_traffic(sharding, ahead, run.groups);
      made.alive[ahead_row(ahead)] = alive(
          [&](AllocationTable& table) { add_arch_weights(run, sharding, ahead, stack_, table); });
    }
  }
  return made;
}

RepeatedRecommendation::PassedArch RepeatedRecommendation::make_passes(ModuleGroup group,
                                                                       const PlacedArch& placed,
                                                                       const Plan& plan) {
  const auto row = static_cast<std::size_t>(group);
  const ArchWork& work = program_.works[row];
  ArchRun& run = program_.archs[row];
  run = placed.run;
  run.recomputed_layers = recomputed_layers(plan, run.layers);
  program_.operations.clear();
  write_arch_blocks(work, plan, stack_, program_, run);
  return {.number = ++numbers_,
          .passes = arch_passes(program_, group, {cluster_, stack_, plan}),
          .activations = alive([&](AllocationTable& table) {
            add_arch_activations(work, run.recomputed_layers, group, plan, cluster_.gpus, table);
          })};
}

TableHalf RepeatedRecommendation::make_tables(const Plan& plan,
                                              const PlacedTables::Placing& placed) {
  TableHalf half;
  program_.load = loads_.get(load_key(plan, placed.number), [&] {
    load_tables(model_, plan, *placed.tables, program_);
    return program_.load;
  });
  program_.operations.clear();
  finish_tables(model_, plan, cluster_, stack_, *placed.tables, program_);
  const AllocationTable& table = program_.table_allocations;
  half.time = table_time(program_, {cluster_, stack_, plan});
  half.alive.reserve(table.holders().size());
  for (const Holder& holder : table.holders()) half.alive.push_back(alive_bytes(table.of(holder)));
  half.communicators = program_.table_communicators;
  return half;
}

const DenseHalf& RepeatedRecommendation::dense_half(const Plan& plan) {
  return dense_.get(dense_key(plan), [&] { return make_dense(plan); });
}

const TableHalf& RepeatedRecommendation::table_half(const Plan& plan, Bytes resident) {
  const PlacedTables::Placing placing = placed_.of(plan, resident);
  if (placing.tables == nullptr) return refused_;
  return tables_.get(table_key(plan, placing.number), [&] { return make_tables(plan, placing); });
}

StepVerdict RepeatedRecommendation::join(const DenseHalf& dense, const TableHalf& tables) const {
  const MemoryReport memory = joined_memory(dense, tables, cluster_.device, stack_);
  StepVerdict verdict{.status = status_of(memory), .step = {}};
  if (verdict.status == StepStatus::ok) {
    verdict.step = joined_step(dense.time, tables.time, retry_share(memory)).total();
  }
  return verdict;
}

StepVerdict RepeatedRecommendation::evaluate(const Plan& plan) {
  constexpr StepVerdict invalid{.status = StepStatus::invalid, .step = {}};
  const DenseHalf& dense = dense_half(plan);
  if (!dense.valid) return invalid;
  const TableHalf& tables = table_half(plan, dense.resident);
  return tables.valid ? join(dense, tables) : invalid;
}

}  // namespace cubicbench::sim
