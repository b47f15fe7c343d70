#include "sim/engine/repeated_recommendation.h"

#include <bit>

#include "sim/memory/peak_memory.h"
#include "sim/memory/slow_zone.h"
#include "sim/plan/validity.h"
#include "sim/program/lower_recommendation.h"

namespace cubicbench::sim {
namespace {

constexpr std::size_t halves_max = std::size_t{1} << 16;  // of a side: below 100 MB

/// Small values side by side in one word.
class Packed {
 public:
  template <typename Value>
  Packed& add(Value value) {
    word_ = word_ << 4 | static_cast<std::uint64_t>(value);
    return *this;
  }
  std::uint64_t word() const { return word_; }

 private:
  std::uint64_t word_ = 0;
};

std::uint64_t word(std::int64_t value) { return static_cast<std::uint64_t>(value); }

/// All that lower_dense, dense_time and check_dense read.
RememberedHalves<6, DenseHalf>::Key dense_key(const Plan& plan) {
  Packed small;
  small.add(plan.dense_sharding).add(plan.sequence_sharding).add(plan.interaction_sharding);
  small.add(plan.over_sharding).add(plan.backward_prefetch).add(plan.dtype);
  small.add(plan.param_dtype).add(plan.reduce_dtype).add(plan.optimizer).add(plan.offload);
  small.add(plan.recompute).add(plan.forward_prefetch).add(plan.limit_all_gathers);
  small.add(plan.compile);
  return {word(plan.batch_per_gpu), word(plan.shard_group),     word(plan.reshard_after_forward),
          word(plan.wrap),          word(plan.recompute_every), small.word()};
}

/// All that lower_tables, table_time and check_tables read.
RememberedHalves<7, TableHalf>::Key table_key(const Plan& plan, Bytes resident) {
  Packed small;
  small.add(plan.embedding_plan).add(plan.embedding_kernel).add(plan.embedding_dtype);
  small.add(plan.embedding_optimizer).add(plan.forward_comm_dtype).add(plan.backward_comm_dtype);
  small.add(plan.input_pipeline).add(plan.param_dtype);
  return {word(plan.batch_per_gpu),
          word(plan.embedding_groups),
          word(plan.embedding_sync_interval),
          word(plan.embedding_cache_thousandths),
          word(plan.embedding_replicate_below_gib_thousandths),
          std::bit_cast<std::uint64_t>(resident.value),
          small.word()};
}

Bytes joined(const Demands& a, const Demands& b, std::size_t moment) {
  return a[moment] + b[moment];
}

/// What `peak_memory` says of a rank whose allocations are in two parts, where it matters to a
/// verdict.
MemoryReport joined_memory(const DenseHalf& dense, const TableHalf& tables, const Device& device,
                           const Stack& stack) {
  MemoryReport report;
  for (const AliveBytes& of_tables : tables.alive) {
    AliveBytes alive;
    for (std::size_t i = 0; i < alive.state.size(); ++i) {
      alive.state[i] = joined(dense.alive.state, of_tables.state, i);
      alive.passing[i] = joined(dense.alive.passing, of_tables.passing, i);
    }
    const Demands demand = demands(alive, stack);
    report.demand_at_start =
        max(report.demand_at_start, demand[static_cast<std::size_t>(Moment::startup)]);
    report.demand = max(report.demand, peak_of(demand).bytes);
  }
  report.capacity = allocator_capacity(device, dense.communicators + tables.communicators, stack);
  return report;
}

}  // namespace

RepeatedRecommendation::RepeatedRecommendation(const Recommendation& model, const Cluster& cluster,
                                               const Stack& stack)
    : model_(model), cluster_(cluster), stack_(stack), dense_(halves_max), tables_(halves_max) {}

DenseHalf RepeatedRecommendation::make_dense(const Plan& plan) {
  DenseHalf half;
  half.valid = !check_dense(plan, model_, cluster_);
  if (!half.valid) return half;
  lower_dense(model_, plan, cluster_, stack_, program_);
  const AllocationTable& table = program_.dense_allocations;
  half.time = dense_time(program_, {cluster_, stack_, plan});
  half.alive = alive_bytes(table.of(table.holders().front()));
  half.communicators = program_.dense_communicators;
  half.resident = resident_bytes(program_, plan);
  return half;
}

TableHalf RepeatedRecommendation::make_tables(const Plan& plan, Bytes resident) {
  TableHalf half;
  half.valid = !check_tables(plan, cluster_);
  if (!half.valid) return half;
  program_.operations.clear();
  lower_tables(model_, plan, cluster_, stack_, resident, program_);
  const AllocationTable& table = program_.table_allocations;
  half.time = table_time(program_, {cluster_, stack_, plan});
  for (const Holder& holder : table.holders()) half.alive.push_back(alive_bytes(table.of(holder)));
  half.communicators = program_.table_communicators;
  return half;
}

const DenseHalf& RepeatedRecommendation::dense_half(const Plan& plan) {
  return dense_.get(dense_key(plan), [&] { return make_dense(plan); });
}

const TableHalf& RepeatedRecommendation::table_half(const Plan& plan, Bytes resident) {
  return tables_.get(table_key(plan, resident), [&] { return make_tables(plan, resident); });
}

StepVerdict RepeatedRecommendation::join(const DenseHalf& dense, const TableHalf& tables) const {
  const MemoryReport memory = joined_memory(dense, tables, cluster_.device, stack_);
  StepVerdict verdict{.status = status_of(memory), .step = {}};
  if (verdict.status == StepStatus::ok) {
    verdict.step = step_cost(dense.time, tables.time, retry_share(memory)).total();
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
