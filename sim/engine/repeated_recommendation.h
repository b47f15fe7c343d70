#pragma once

#include <array>
#include <cstdint>

#include "sim/base/remembered.h"
#include "sim/base/units.h"
#include "sim/engine/placed_tables.h"
#include "sim/engine/recommendation_halves.h"
#include "sim/engine/step_report.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/workload/recommendation.h"

namespace cubicbench::sim {

/// What the halves of a recommendation model's step read of a plan: plans of one key have one half.
using DenseKey = std::array<std::uint64_t, 4>;
using TableKey = std::array<std::uint64_t, 2>;
/// What parts of the dense side read: passes over an arch, and its weights on their way.
using ArchPassesKey = std::array<std::uint64_t, 2>;
using ArchWeightsKey = std::array<std::uint64_t, 3>;
/// What two such parts meet in: their numbers.
using ArchPairKey = std::array<std::uint64_t, 1>;
/// What the load of placed tables reads.
using TableLoadKey = std::array<std::uint64_t, 2>;

/// All that lower_dense, dense_cost and check_dense read. Requires whole numbers in [0, 2^32), far
/// beyond what a scenario can say.
DenseKey dense_key(const Plan& plan);

/// All that finish_tables and table_time read, the same way. `placing`: the number of where
/// the tables are placed, in the place of what that reads (sharding_key).
TableKey table_key(const Plan& plan, std::uint64_t placing);

/// Verdicts on the steps of one recommendation model in many configurations. The dense side and the
/// tables meet in few numbers: each half is put together once, remembered, and joined with others
/// for a small part of what a whole step costs. A verdict is that of `evaluate` to the bit,
/// whatever was asked before.
///
/// Plans may differ in all settings that recommendation models have, and in no others. Memory is
/// bounded: halves that do not fit are forgotten. `model`, `cluster` and `stack` must outlive it.
/// Not to be shared by threads.
class RepeatedRecommendation {
 public:
  RepeatedRecommendation(const Recommendation& model, const Cluster& cluster, const Stack& stack);

  StepVerdict evaluate(const Plan& plan);

  /// Those of `plan`. The references hold until the next call of any member.
  const DenseHalf& dense_half(const Plan& plan);
  /// Of tables beside `resident` bytes of the dense side.
  const TableHalf& table_half(const Plan& plan, Bytes resident);

  /// Requires valid halves that may be joined.
  StepVerdict join(const DenseHalf& dense, const TableHalf& tables) const;

 private:
  /// Passes over an arch, and what they keep. `number`: of no others, nor of those forgotten.
  struct PassedArch {
    std::uint32_t number = 0;
    ArchPasses passes;
    AliveBytes activations;
  };
  /// An arch on its place: its weights, all of its run but blocks, and collectives over weights.
  struct PlacedArch {
    std::uint32_t number = 0;  ///< likewise
    Bytes resident;
    std::array<AliveBytes, 4> alive;  ///< by what is gathered ahead
    ArchRun run;
    WeightCost collectives;
  };

  DenseHalf make_dense(const Plan& plan);
  void add_arch_of(ModuleGroup group, const Plan& plan, DenseCost& cost, DenseHalf& half);
  PassedArch make_passes(ModuleGroup group, const PlacedArch& placed, const Plan& plan);
  PlacedArch make_placed(ModuleGroup group, const Plan& plan);
  template <typename Add>
  AliveBytes alive(Add add);
  TableHalf make_tables(const Plan& plan, const PlacedTables::Placing& placed);

  const Recommendation& model_;
  const Cluster& cluster_;
  const Stack& stack_;
  RecommendationProgram program_;
  PlacedTables placed_;
  std::uint32_t numbers_ = 0;  ///< of parts, that were given
  AliveBytes workspace_;
  RememberedHalves<ArchPassesKey, PassedArch> passes_;
  RememberedHalves<ArchWeightsKey, PlacedArch> archs_;
  RememberedHalves<ArchPairKey, ArchWeightTime> weight_times_;
  RememberedHalves<TableLoadKey, TableLoad> loads_;
  RememberedHalves<DenseKey, DenseHalf> dense_;
  RememberedHalves<TableKey, TableHalf> tables_;
  TableHalf refused_{.valid = false, .time = {}, .alive = {}};
};

}  // namespace cubicbench::sim
