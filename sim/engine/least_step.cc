#include "sim/engine/least_step.h"

#include "sim/plan/split_shape.h"

namespace cubicbench::sim {
namespace {

/// Forward and backward through a layer that recomputes nothing.
Seconds least_of_layer(const LayerPasses<StepCost>& passes, const Plan& plan) {
  const Seconds apart =
      passes.forward.total() + passes.backward.total() +
      (splits_backward(plan.schedule) ? passes.weight_gradients.total() : Seconds{});
  return traits(plan.schedule).runs_pairs ? min(apart, passes.pair.total()) : apart;
}

/// How many kinds of layers the runs have, up to the last that one of them has.
std::size_t kinds_of(const StepProgram& program) {
  std::size_t kinds = 0;
  for (const StageRun& run : program.runs) {
    for (std::size_t kind = kinds; kind < layer_kinds_max; ++kind) {
      if (run.kinds[kind].layers > 0.0) kinds = kind + 1;
    }
  }
  return kinds;
}

}  // namespace

Seconds least_step(const StepProgram& program, const BlockCosts& blocks, const Plan& plan) {
  constexpr double rounding = 1e-9;  // of sums in another order
  PerKind<Seconds> layer;
  PerKind<Seconds> recomputing;
  const std::size_t kinds = kinds_of(program);
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    layer[kind] = least_of_layer(blocks.layers[kind], plan);
    recomputing[kind] = blocks.layers[kind].recompute.total();
  }
  Seconds most;
  for (const StageRun& run : program.runs) {
    Seconds slot;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      slot += run.kinds[kind].layers * layer[kind] + run.kinds[kind].recomputed * recomputing[kind];
    }
    most = max(most, slot);
  }
  const auto micro_batches = static_cast<std::int64_t>(program.micro_batches);
  const double passes = static_cast<double>(split_shape(plan, micro_batches).micro_batches);
  return ((1.0 - rounding) * passes) * most;
}

}  // namespace cubicbench::sim
