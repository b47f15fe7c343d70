#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/base/remembered.h"
#include "sim/engine/bare_step.h"
#include "sim/engine/step_report.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/plan/plan_key.h"
#include "sim/program/kept_activations.h"
#include "sim/program/lower_transformer.h"
#include "sim/program/step_program.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Longer than any step.
inline constexpr Seconds unlimited_step{std::numeric_limits<double>::infinity()};

/// evaluate() of one transformer under many plans, one after another: what plans share is worked
/// out once [docs/models.md, section V]. Every part of an evaluation is a function of few settings
/// and is computed from these alone, by the functions that evaluate() calls; its
/// results for the settings that were asked for lately are kept. So no value depends on what was
/// asked before, and none differs from that of evaluate() by a bit.
///
/// Model and stack must outlive it. Not to be shared by threads.
class RepeatedTransformer {
 public:
  /// `longest`: steps that take longer need not be told apart.
  RepeatedTransformer(const Transformer& model, const Cluster& cluster, const Stack& stack,
                      Seconds longest = unlimited_step);

  /// Status and step of evaluate(), where that is no longer than the longest; else the step is some
  /// time between the two.
  StepVerdict evaluate(const Plan& plan);

 private:
  /// Whether a step fits, and by which share it is longer where it hardly does.
  struct Room {
    StepStatus status = StepStatus::ok;
    double retries = 0.0;
  };
  struct Time {
    BareStep bare;
    Seconds step;  ///< where memory delays nothing
  };

  /// Of a plan.
  struct Mesh {
    DeviceMesh mesh;
    bool lies_as_one_stage;  ///< groups of its layers are those of a pipeline of one stage
  };
  /// A pass over layers of one kind, by the settings that it reads.
  struct PassKey {
    PlanKey settings;
    std::uint64_t which = 0;  ///< pass and kind; of no pass 0

    bool operator==(const PassKey&) const = default;
    std::uint64_t hash() const { return settings.hash() + which * 0x9e37'79b9'7f4a'7c15; }
  };
  /// Of the blocks outside the layers.
  struct EndCosts {
    StepCost embedding;
    StepCost head;
    StepCost prediction;
  };

  void take_gpus(const Plan& plan);
  // Both require a plan whose stages `program_` has.
  Room room(const Plan& plan);
  Time time(const Plan& plan);
  Seconds step(const BareStep& bare, const Plan& plan, double retries) const;
  void lower_stages(const Plan& plan, StepProgram& program);
  const Mesh& mesh(const Plan& plan);
  const BlockCosts& blocks(const Plan& plan);
  const StepCost& pass(const Plan& plan, std::size_t kind, LayerPass pass);
  const EndCosts& ends(const Plan& plan);
  const std::vector<WeightCost>& weights(const Plan& plan);
  const KeptByKinds& kept(const Plan& plan);

  const Transformer& model_;
  const LayerKinds kinds_;
  const Stack& stack_;
  Seconds longest_;
  int gpus_;         ///< of the whole cluster
  Cluster cluster_;  ///< as many of them as the plan takes that is evaluated
  double stragglers_;
  StepProgram program_;  ///< of a plan
  StepProgram part_;     ///< and of what a part of it reads
  Remembered<PlanKey, Room> rooms_;
  Remembered<PlanKey, Time> times_;
  Remembered<PlanKey, BlockCosts> blocks_;
  Remembered<PassKey, StepCost> passes_;
  Remembered<PlanKey, EndCosts> ends_;
  Remembered<PlanKey, std::vector<WeightCost>> weights_;
  Remembered<PlanKey, KeptByKinds> kept_;
  Remembered<PlanKey, Mesh> meshes_;
  Remembered<PlanKey, std::vector<StageRun>> stages_;
};

}  // namespace cubicbench::sim
