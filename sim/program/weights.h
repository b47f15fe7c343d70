#pragma once

#include "sim/hardware/stack.h"
#include "sim/plan/device_mesh.h"
#include "sim/plan/plan.h"
#include "sim/program/weight_schedule.h"

namespace cubicbench::sim {

/// How the weights and gradients of a stage or arch travel in a step [docs/models.md, section D].
struct WeightTraffic {
  double gather_bytes_per_parameter = 2.0;
  double reduce_bytes_per_parameter = 4.0;
  double frozen_saving = 0.0;  ///< bytes that a frozen weight of a layer does without, in 4 bits
  bool in_units = false;       ///< FSDP: a collective a unit, under the compute of its neighbours
  bool backward_over_reshard_group = false;
  bool reduce_scatters = false;  ///< else all-reduces
  WeightSchedule schedule{};
};

/// Of passes that compute nothing but gradients of weights: they read no weights.
constexpr WeightTraffic only_reductions(WeightTraffic traffic) {
  traffic.schedule = {.backward = traffic.schedule.weight_gradients,
                      .awaited = traffic.schedule.awaited};
  return traffic;
}

/// The weights of one stage or arch on one tensor-parallel rank, not sharded over data.
struct WeightUnits {
  double parameters = 0.0;
  double units = 1.0;              ///< weight collectives a pass
  double layers = 1.0;             ///< whose gradients are ready one after the other
  double unit_parameters = 0.0;    ///< of one of them
  double last_parameters = 0.0;    ///< of the last one of a pass, which may have fewer layers
  double largest_unit = 0.0;       ///< parameters, where layers are whole
  double end_parameters = 0.0;     ///< outside the layers, a collective of their own when in units
  double matrix_parameters = 0.0;  ///< of hidden matrices that are updated whole
  double frozen = 0.0;             ///< of `parameters`, those without gradient and state
  double unit_trained = 1.0;       ///< share of a unit that is trained
  double ends_trained = 1.0;       ///< and of what is outside the layers
};

/// Bytes that a gather moves for a weight of the layers: frozen ones may have 4 bits.
constexpr double layer_gather_bytes(const WeightTraffic& traffic, const WeightUnits& weights) {
  return traffic.gather_bytes_per_parameter - traffic.frozen_saving * (1.0 - weights.unit_trained);
}

/// Of the layers' weights those that are frozen: where some are, all outside the layers are too.
constexpr double frozen_in_layers(const WeightUnits& weights) {
  return weights.frozen > 0.0 ? weights.frozen - weights.end_parameters : 0.0;
}

constexpr double trained_parameters(const WeightUnits& weights) {
  return weights.parameters - weights.frozen;
}

/// How `sharding` moves weights under `plan`.
WeightTraffic weight_traffic(Sharding sharding, const Plan& plan, const WeightGroups& groups);

/// Divides `layers` layers of `layer_parameters` into FSDP units of `plan.wrap` layers, when the
/// traffic is in units; one unit of everything when it is not. No unit reaches over chunks of a
/// pipeline stage, which are modules of their own; of one of them an end of the model takes the
/// place of `missing_layers`.
WeightUnits weight_units(const WeightTraffic& traffic, const Plan& plan, double layers,
                         double layer_parameters, double end_parameters,
                         double missing_layers = 0.0);

/// Leaves `trained` parameters of the layers trained, and nothing outside them.
void freeze_all_but(double trained, const WeightTraffic& traffic, WeightUnits& weights);

/// Bytes that the update streams for each parameter it owns: fp32 gradient read for the norm, read
/// again and cleared (12), weight read and written (8), its 16-bit copy written (2), and for Adam
/// two moments read and written (16).
double optimizer_traffic(const Plan& plan);

/// Ranks that share the update of one parameter.
double optimizer_shards(Sharding sharding, const WeightGroups& groups);

/// Adds weights, gradients, optimizer state and gathered units to the last holder of an
/// AllocationTable, or to AliveBytes.
/// Sources: states a parameter, [ZeRO19, section 5] and [FSDP23, section 3.2].
/// `accumulates`: gradients stay whole over several micro-batches.
template <typename Table>
void add_weight_allocations(const WeightUnits& weights, Sharding sharding,
                            const WeightTraffic& traffic, const WeightGroups& groups,
                            const Plan& plan, const Stack& stack, bool accumulates, Table& table);

}  // namespace cubicbench::sim
