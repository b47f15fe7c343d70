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

// Of a side, about 100 MB when there are so many.
constexpr std::size_t halves_max = std::size_t{1} << 18;
/// Of parts of a half, a kilobyte each; models have a few thousand.
constexpr std::size_t parts_max = std::size_t{1} << 14;

/// All that write_arch_blocks() and the time of its blocks read.
ArchPassesKey passes_key(ModuleGroup group, bool regathers, const Plan& plan) {
  return {
      two_settings(plan.batch_per_gpu, plan.recompute_every),
      packed_choices(group, plan.dtype, plan.param_dtype, plan.recompute, plan.compile, regathers)};
}

/// All that place_arch() and the collectives read, except what recomputes layers and when weights
/// travel.
ArchWeightsKey weights_key(ModuleGroup group, Sharding sharding, const Plan& plan) {
  return {two_settings(plan.shard_group, plan.reshard_after_forward), two_settings(plan.wrap, 0),
          packed_choices(group, sharding, plan.param_dtype, plan.reduce_dtype)};
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
                         plan.forward_prefetch, plan.limit_all_gathers, plan.compile)};
}

TableKey table_key(const Plan& plan, std::uint64_t placing) {
  return {two_settings(plan.batch_per_gpu, plan.embedding_groups),
          two_settings(plan.embedding_sync_interval, plan.embedding_cache_thousandths),
          two_settings(plan.embedding_replicate_below_gib_thousandths, 0), placing,
          packed_choices(plan.embedding_plan, plan.embedding_kernel, plan.embedding_dtype,
                         plan.embedding_optimizer, plan.forward_comm_dtype,
                         plan.backward_comm_dtype, plan.input_pipeline, plan.param_dtype)};
}

RepeatedRecommendation::RepeatedRecommendation(const Recommendation& model, const Cluster& cluster,
                                               const Stack& stack)
    : model_(model),
      cluster_(cluster),
      stack_(stack),
      placed_(model, cluster),
      passes_(parts_max),
      archs_(parts_max),
      dense_(halves_max),
      tables_(halves_max) {
  place_world(cluster_, program_);
  for (std::size_t i = 0; i < module_group_count; ++i) {
    program_.works[i] = arch_work(model_, static_cast<ModuleGroup>(i));
  }
}

DenseHalf RepeatedRecommendation::make_dense(const Plan& plan) {
  DenseHalf half;
  half.valid = !check_dense(plan, model_, cluster_);
  if (!half.valid) return half;
  program_.optimizer_bytes_per_parameter = optimizer_traffic(plan);
  DenseCost cost;
  for (std::size_t i = 0; i < module_group_count; ++i) {
    add_arch_of(static_cast<ModuleGroup>(i), plan, cost);
  }
  finish_dense(plan, cluster_, stack_, program_);
  const AllocationTable& table = program_.dense_allocations;
  half.time = dense_time(cost);
  half.alive = alive_bytes(table.of(table.holders().front()));
  half.communicators = program_.dense_communicators;
  half.resident = resident_bytes(program_, plan);
  return half;
}

/// Fills its run, too.
void RepeatedRecommendation::add_arch_of(ModuleGroup group, const Plan& plan, DenseCost& cost) {
  const auto row = static_cast<std::size_t>(group);
  const ArchWork& work = program_.works[row];
  ArchRun& run = program_.archs[row];
  const Sharding sharding = sharding_of(plan, group);
  const StepContext on{cluster_, stack_, plan};
  const PlacedArch& placed = archs_.get(weights_key(group, sharding, plan), [&] {
    PlacedArch made;
    place_arch(work, sharding, plan, cluster_, program_.world, made.run);
    made.weights = arch_weights(made.run, on);
    return made;
  });
  run = placed.run;
  run.recomputed_layers = recomputed_layers(plan, run.layers);
  run.traffic = weight_traffic(sharding, plan, run.groups);
  if (run.layers <= 0.0) return;
  const bool regathers = run.traffic.schedule.backward.gathers();
  const ArchPasses& passes = passes_.get(passes_key(group, regathers, plan), [&] {
    program_.operations.clear();
    write_arch_blocks(work, plan, stack_, program_, run);
    return arch_passes(program_, group, on);
  });
  add_arch(program_, group, passes, placed.weights, on, cost);
}

TableHalf RepeatedRecommendation::make_tables(const Plan& plan, const TableSharding& placed) {
  TableHalf half;
  program_.operations.clear();
  program_.sharding = placed;
  lower_placed_tables(model_, plan, cluster_, stack_, program_);
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
  if (check_tables(plan, cluster_)) {
    constexpr std::uint64_t nowhere = 0;
    return tables_.get(table_key(plan, nowhere), [] {
      TableHalf half;
      half.valid = false;
      return half;
    });
  }
  const PlacedTables::Placing& placing = placed_.of(plan, resident);
  return tables_.get(table_key(plan, placing.number),
                     [&] { return make_tables(plan, placing.tables); });
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
