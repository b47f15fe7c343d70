#include "sim/program/weights.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/base/units.h"
#include "sim/plan/frozen_weights.h"
#include "sim/plan/pipeline_schedule.h"
#include "sim/program/alive_bytes.h"
#include "sim/program/allocation_table.h"

namespace cubicbench::sim {
namespace {

bool has_copy(const Plan& plan) { return storage_bytes(plan.param_dtype) == 2.0; }

/// Bytes a parameter of the optimizer's state on the device: moments, and fp32 copies of weights
/// beside them (FSDP's shard is no copy). None when it is offloaded.
struct OptimizerBytes {
  double master = 0.0;
  double moments = 0.0;
  double matrix_saving = 0.0;  ///< of `moments`, what hidden matrices do without
};

OptimizerBytes optimizer_bytes(const Plan& plan, const Stack& stack) {
  if (offloads_optimizer(plan)) return {};
  const double moments = kept_moment_bytes(plan.optimizer, stack);
  return {has_copy(plan) ? 4.0 : 0.0, moments, matrix_state_saved(plan.optimizer) * moments};
}

/// Frozen weights have neither state nor a wider copy.
template <typename Table>
void add_state(const WeightUnits& weights, const ShardingTraits& sharding, double shards,
               const Plan& plan, const Stack& stack, Table& table) {
  const OptimizerBytes optimizer = optimizer_bytes(plan, stack);
  const double trained = trained_parameters(weights);
  const double saved = optimizer.matrix_saving * weights.matrix_parameters;
  const double narrower = frozen_saving(plan) * frozen_in_layers(weights);
  if (sharding.shards_parameters) {  // FSDP: the shard is the parameter
    const double frozen = storage_bytes(plan.param_dtype) * weights.frozen - narrower;
    table.add(MemoryPart::parameters, (stack.shard_weight_bytes * trained + frozen) / shards,
              always);
    table.add(MemoryPart::optimizer_state, optimizer.moments * trained / shards - saved / shards,
              always);
    return;
  }
  const double owners = sharding.shards_optimizer ? shards : 1.0;
  table.add(MemoryPart::parameters, (has_copy(plan) ? 2.0 : 4.0) * weights.parameters - narrower,
            always);
  table.add(MemoryPart::optimizer_state,
            (optimizer.master + optimizer.moments) * trained / owners - saved / owners, always);
  if (has_narrow_range(plan.param_dtype)) {
    table.add(MemoryPart::gradients, stack.fp16_owned_gradient_bytes * trained / owners, always);
  }
}

/// What gathering the weights that ZeRO-1's ranks updated holds beside them.
template <typename Table>
void add_update(double parameters, const ShardingTraits& sharding, double shards,
                const Stack& stack, Table& table) {
  if (sharding.shards_optimizer && !sharding.shards_parameters && shards > 1.0) {
    table.add(MemoryPart::communication_buffers,
              (stack.update_bytes + stack.update_shard_bytes / shards) * parameters,
              at(Moment::optimizer_step));
  }
}

template <typename Table>
void add_gathered(const WeightUnits& weights, const WeightTraffic& traffic, double reshard_ranks,
                  Table& table) {
  const double bytes = traffic.gather_bytes_per_parameter;
  const double saved = bytes - layer_gather_bytes(traffic, weights);
  const double layers = weights.parameters - weights.end_parameters;
  const WeightSchedule& schedule = traffic.schedule;
  if (!schedule.backward.gathers()) {
    table.add(MemoryPart::unsharded_units, bytes * weights.parameters - saved * layers, in_passes);
    return;
  }
  // The unit in use, the one that is prefetched, and one more when nothing limits the host.
  const std::int8_t ahead = std::max(schedule.held_forward, schedule.held_backward);
  const double units = 1.0 + static_cast<double>(ahead + schedule.freed_late);
  const double of_layers = std::min(units * weights.largest_unit, layers);
  const double gathered = of_layers + weights.end_parameters;
  table.add(MemoryPart::unsharded_units, bytes * gathered - saved * of_layers, in_passes);
  if (traffic.backward_over_reshard_group) {
    table.add(MemoryPart::unsharded_units, (bytes - saved) * layers / reshard_ranks, in_passes);
  }
}

/// Bytes a parameter of gradients that no rank shares with another.
double whole_gradient_bytes(bool replicated, const Plan& plan, const Stack& stack) {
  const bool fp16 = has_narrow_range(plan.param_dtype);
  const double added_up = fp16 ? stack.fp16_gradient_bytes : stack.gradient_bytes;
  // Added up in what they are reduced in.
  const double fewer = added_up == 4.0 ? 4.0 - storage_bytes(plan.reduce_dtype) : 0.0;
  return added_up - fewer + (replicated ? stack.bucket_bytes : 0.0);
}

template <typename Table>
void add_gradients(const WeightUnits& weights, bool whole, bool replicated, double shards,
                   const Plan& plan, const Stack& stack, Table& table) {
  if (whole) {
    table.add(MemoryPart::gradients,
              whole_gradient_bytes(replicated, plan, stack) * trained_parameters(weights), always);
    return;
  }
  table.add(MemoryPart::gradients,
            stack.shard_gradient_bytes * trained_parameters(weights) / shards, after_startup);
  // One unit as it is handed to the reduction.
  table.add(
      MemoryPart::gradients,
      storage_bytes(plan.reduce_dtype) * std::max(weights.unit_trained * weights.largest_unit,
                                                  weights.ends_trained * weights.end_parameters),
      at(Moment::backward));
}

}  // namespace

WeightTraffic weight_traffic(Sharding sharding, const Plan& plan, const WeightGroups& groups) {
  const ShardingTraits mode = traits(sharding);
  return {.gather_bytes_per_parameter = storage_bytes(plan.param_dtype),
          .reduce_bytes_per_parameter = storage_bytes(plan.reduce_dtype),
          .frozen_saving = frozen_saving(plan),
          .in_units = mode.shards_parameters,
          .backward_over_reshard_group = mode.shards_parameters &&
                                         plan.reshard_after_forward >= 2 &&
                                         groups.reshard.ranks < groups.shard.ranks,
          .reduce_scatters = mode.shards_optimizer,
          .schedule = weight_schedule(sharding, plan)};
}

WeightUnits weight_units(const WeightTraffic& traffic, const Plan& plan, double layers,
                         double layer_parameters, double end_parameters, double missing_layers) {
  WeightUnits w;
  w.parameters = layers * layer_parameters + end_parameters;
  w.layers = std::max(1.0, layers);
  w.end_parameters = end_parameters;
  if (!traffic.in_units) {
    w.unit_parameters = w.last_parameters = w.largest_unit = w.parameters;
    return w;
  }
  const double chunks = real(chunks_per_stage(plan));
  // Of a chunk, each of a layer at most.
  const double pieces = std::max(1.0, std::ceil((layers + missing_layers) / chunks));
  const double wrap = std::min(real(plan.wrap), pieces);
  const double units = std::ceil(pieces / wrap);
  const double piece = layers * layer_parameters / (chunks * pieces);
  w.units = chunks * units;
  w.unit_parameters = wrap * piece;
  w.last_parameters = (pieces - (units - 1.0) * wrap) * piece;
  w.largest_unit = std::min(layers, wrap) * layer_parameters;
  return w;
}

void freeze_all_but(double trained, const WeightTraffic& traffic, WeightUnits& weights) {
  const double shared = weights.parameters - (traffic.in_units ? weights.end_parameters : 0.0);
  weights.frozen = weights.parameters - trained;
  weights.unit_trained = shared > 0.0 ? trained / shared : 0.0;
  weights.ends_trained = 0.0;
}

double optimizer_traffic(const Plan& plan) {
  return 20.0 + (has_copy(plan) ? 2.0 : 0.0) + 2.0 * state_bytes(plan.optimizer);
}

double optimizer_shards(Sharding sharding, const WeightGroups& groups) {
  return traits(sharding).shards_optimizer ? real(groups.shard.ranks) : 1.0;
}

template <typename Table>
void add_weight_allocations(const WeightUnits& weights, Sharding sharding,
                            const WeightTraffic& traffic, const WeightGroups& groups,
                            const Plan& plan, const Stack& stack, bool accumulates, Table& table) {
  const ShardingTraits mode = traits(sharding);
  const double shards = real(groups.shard.ranks);
  add_state(weights, mode, shards, plan, stack, table);
  add_update(trained_parameters(weights), mode, shards, stack, table);
  if (mode.shards_parameters) {
    add_gathered(weights, traffic, real(groups.reshard.ranks), table);
  }
  const bool whole = !mode.shards_gradients || (plan.accumulate_without_sync && accumulates);
  const bool replicated = !mode.shards_optimizer && groups.replica.ranks > 1;
  add_gradients(weights, whole, replicated, shards, plan, stack, table);
}

template void add_weight_allocations(const WeightUnits&, Sharding, const WeightTraffic&,
                                     const WeightGroups&, const Plan&, const Stack&, bool,
                                     AllocationTable&);
template void add_weight_allocations(const WeightUnits&, Sharding, const WeightTraffic&,
                                     const WeightGroups&, const Plan&, const Stack&, bool,
                                     AliveBytes&);

}  // namespace cubicbench::sim
