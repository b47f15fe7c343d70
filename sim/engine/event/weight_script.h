#pragma once

#include <cstdint>
#include <iterator>
#include <vector>

#include "sim/engine/event/step_script.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/program/weights.h"
#include "sim/workload/recommendation.h"

namespace cubicbench::sim {

constexpr Role behind(Role first, std::size_t roles) {
  return static_cast<Role>(slot(first) + roles);
}

/// Roles of the groups that share the weights of one stage or arch, which follow one another.
struct WeightRoles {
  Role shard = Role::shard;
  Role replicate = behind(shard, 1);
  Role reshard = behind(shard, 2);
  Role replica = behind(shard, 3);
};
/// Those of a part of a recommendation model.
constexpr WeightRoles weight_roles(ModuleGroup group) {
  return {behind(Role::shard, 4 * static_cast<std::size_t>(group))};
}
static_assert(weight_roles(ModuleGroup::over).replica == Role::over_replica);

/// Those of routed experts.
constexpr WeightRoles expert_weight_roles{Role::expert_shard};

/// The layers of a chunk, in order; where layers do not fill it, shares of a layer.
using LayerPieces = std::vector<double>;

/// Weights of one stage or arch, and how they travel.
struct WeightPlan {
  WeightTraffic traffic;
  const WeightUnits& weights;
  const WeightGroups& groups;
  WeightRoles roles{};
  double layer_parameters = 0.0;
  std::int64_t wrap = 1;              ///< layers of a unit
  std::vector<LayerPieces> chunks{};  ///< that the layers are divided into
  std::int64_t ends_chunk = 0;        ///< whose passes read the weights outside the layers
  bool pipelined = false;  ///< passes of other micro-batches, or of other archs, lie between a
                           ///< forward pass and its backward pass
};

/// One pass over a chunk of a stage's layers.
struct ChunkPass {
  std::int64_t chunk = 0;
  bool with_ends = false;  ///< reads the weights outside the layers
  bool opens = false;   ///< forward: the first micro-batch; backward: first pass of its micro-batch
  bool closes = false;  ///< the last pass of its micro-batch
  bool reduces = false;  ///< backward: gradients of the micro-batch are reduced
};

/// Writes when a rank gathers the weights of a stage or arch and reduces their gradients, around
/// the passes that its caller writes [docs/event-engine.md, section 3].
///
/// FSDP units: what their schedule says happens before and behind each. Bucketed data parallelism:
/// a share of the traffic runs beside a pass, the rest by itself.
class StageWeights {
 public:
  /// Of the layers, then those of routed experts, which other groups share. They are in the same
  /// units and travel on the same streams, in the order in which they are needed.
  StageWeights(const std::vector<WeightPlan>& plans, const Cluster& cluster, const Stack& stack,
               StepScript& step, StageScript& script);

  void begin_step();
  void begin_forward(const ChunkPass& pass);
  void before_forward(std::int64_t piece) { before(piece); }  ///< of the chunk
  void end_forward();
  void begin_backward(const ChunkPass& pass);
  void before_backward(std::int64_t piece) { before(piece); }
  void after_backward(std::int64_t piece);
  void end_backward();
  void after_backward_pass();  ///< and after its message

 private:
  /// One of them, and what of it is under way: the operations of the stream until it is there.
  struct Weights {
    WeightPlan plan;
    std::vector<std::vector<std::int32_t>> once_ready;  ///< by chunk and unit, once a step
    std::vector<std::int32_t> ready{};                  ///< by unit of the pass
    std::int32_t ends_ready = 0;
  };
  struct Reduction {
    Transfer inside;
    Transfer across;
  };

  Transfer gather_of(double parameters, const Group& group, const WeightPlan& plan) const;
  Reduction reduction_of(double parameters, const WeightPlan& plan) const;
  Reduction buckets(bool bare, const WeightPlan& plan) const;
  double hidden_share(double share, const WeightPlan& plan) const;
  bool reduces_by_chunk(const WeightPlan& plan) const;

  // Units of the pass under way.
  std::int64_t pieces_in(std::int64_t chunk) const {
    return std::ssize(weights_.front().plan.chunks[static_cast<std::size_t>(chunk)]);
  }
  std::int64_t units_in(std::int64_t chunk) const { return (pieces_in(chunk) + wrap_ - 1) / wrap_; }
  std::int64_t units() const { return units_in(pass_.chunk); }
  /// The unit at a place of the pass, and the place of a unit.
  std::int64_t unit_at(std::int64_t place) const { return back_ ? units() - 1 - place : place; }
  std::int64_t place_of(std::int64_t piece) const { return unit_at(piece / wrap_); }
  bool begins_unit(std::int64_t piece) const { return piece % wrap_ == 0; }
  bool ends_unit(std::int64_t piece) const {
    return piece + 1 == pieces_in(pass_.chunk) || begins_unit(piece + 1);
  }
  const UnitOrder& order() const { return back_ ? schedule_.backward : schedule_.forward; }

  std::int32_t issue(AsyncStream stream, const char* name, Role role, const Transfer& transfer,
                     bool has_next = false);
  std::int32_t gather(double parameters, const WeightPlan& plan, bool over_reshard = false);
  void reduce(const Reduction& reduction, const WeightPlan& plan);
  void reduce(double parameters, bool waits, const WeightPlan& plan);
  void await(AsyncStream stream, std::int32_t operations);
  void await_issued(AsyncStream stream);
  void await_all();

  void gather_buckets(bool bare);
  void gather_ends(Weights& weights);
  void gather_at(std::int64_t place, Weights& weights);
  void before(std::int64_t piece);
  void play(const WeightEvents& events, std::int64_t place, Weights& weights);
  void play(const WeightEvent& event, std::int64_t place, Weights& weights);

  const Cluster& cluster_;
  const Stack& stack_;
  StepScript& step_;
  StageScript& script_;
  std::vector<Weights> weights_;
  WeightSchedule schedule_;
  bool in_units_;
  std::int64_t wrap_;
  ChunkPass pass_;
  bool back_ = false;        ///< it is a backward pass
  bool prefetched_ = false;  ///< the first unit of the next one is under way
};

}  // namespace cubicbench::sim
