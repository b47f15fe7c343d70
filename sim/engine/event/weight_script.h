#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/engine/event/step_script.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/program/weights.h"
#include "sim/workload/recommendation.h"

namespace cubicbench::sim {

/// Roles of the groups that share the weights of one stage or arch.
struct WeightRoles {
  Role shard = Role::shard;
  Role replicate = Role::replicate;
  Role reshard = Role::reshard;
  Role replica = Role::replica;
};
/// Those of a part of a recommendation model.
constexpr WeightRoles weight_roles(ModuleGroup group) {
  switch (group) {
    case ModuleGroup::dense:
      return {};
    case ModuleGroup::sequence:
      return {Role::sequence_shard, Role::sequence_replicate, Role::sequence_reshard,
              Role::sequence_replica};
    case ModuleGroup::interaction:
      return {Role::interaction_shard, Role::interaction_replicate, Role::interaction_reshard,
              Role::interaction_replica};
    case ModuleGroup::over:
      return {Role::over_shard, Role::over_replicate, Role::over_reshard, Role::over_replica};
  }
  return {};
}

/// Those of routed experts.
constexpr WeightRoles expert_weight_roles{Role::expert_shard, Role::expert_replicate,
                                          Role::expert_reshard, Role::expert_replica};

/// The layers of a chunk, in order; where layers do not fill it, shares of a layer.
using LayerPieces = std::vector<double>;

/// Weights of one stage or arch, and how they travel.
struct WeightPlan {
  const WeightTraffic& traffic;
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

/// Writes when a rank gathers weights and reduces gradients, around the passes that its caller
/// writes [docs/event-engine.md, section 3].
///
/// FSDP units: a layer waits for the gather of its unit; the gather of the next unit is issued when
/// a unit's layers begin, its reduction when they end. Bucketed data parallelism: a share of the
/// traffic runs beside a pass, the rest by itself.
class WeightScript {
 public:
  WeightScript(const WeightPlan& plan, const Cluster& cluster, const Stack& stack, StepScript& step,
               StageScript& script);

  void begin_forward(const ChunkPass& pass);
  void before_forward(std::int64_t piece);  ///< of the chunk
  void end_forward();
  void begin_backward(const ChunkPass& pass);
  void before_backward(std::int64_t piece);
  void end_backward();

 private:
  friend class StageWeights;

  struct Reduction {
    Transfer inside;
    Transfer across;
  };

  /// Of bucketed gradients, what runs beside a backward pass and what after it.
  struct Buckets {
    Reduction beside;
    Reduction bare;
  };

  // Of StageWeights::begin_step and after_backward.
  void gather_bare();
  void gather_beside();
  void gather_once(std::int64_t chunk, std::int64_t unit);
  void gather_ends_once(std::int64_t chunk);
  void gather_next(std::int64_t piece);
  void reduce_unit(std::int64_t piece);

  Transfer gather_of(double parameters, const Group& group) const;
  Reduction reduction_of(double parameters) const;
  Buckets buckets() const;

  // Units of the pass under way.
  const LayerPieces& pieces() const { return plan_.chunks[static_cast<std::size_t>(pass_.chunk)]; }
  std::int64_t unit_of(std::int64_t piece) const { return piece / plan_.wrap; }
  std::int64_t units() const { return units_in(pieces()); }
  std::int64_t units_in(const LayerPieces& pieces) const;
  double unit_parameters(const LayerPieces& pieces, std::int64_t unit) const;
  bool begins_unit(std::int64_t piece) const { return piece % plan_.wrap == 0; }
  bool ends_unit(std::int64_t piece) const;

  std::int32_t issue(AsyncStream stream, const char* name, Role role, const Transfer& transfer,
                     bool has_next = false);
  void await(AsyncStream stream, std::int32_t operations);
  void await_weights();
  void await_all();
  void gather_unit(std::int64_t unit, bool again);
  void gather_ends();
  void reduce(const Reduction& reduction);

  const WeightPlan plan_;
  const Cluster& cluster_;
  const Stack& stack_;
  StepScript& step_;
  StageScript& script_;
  ChunkPass pass_;
  std::vector<std::int32_t> ready_;  ///< of a unit of the pass: operations until it is there
  std::vector<std::vector<std::int32_t>> once_ready_;  ///< the same by chunk, once a step
  std::int32_t ends_ready_ = 0;
  bool prefetched_ = false;  ///< the first unit of the next backward pass is under way
};

/// The weights of a stage or arch: those of its layers, and those of routed experts, which other
/// groups share. Both are in the same units and travel on the same streams, in the order in which
/// they are needed: unit by unit of each of them.
class StageWeights {
 public:
  /// Of layers first.
  explicit StageWeights(std::vector<WeightScript> scripts) : scripts_(std::move(scripts)) {}

  void begin_step();
  void begin_forward(const ChunkPass& pass) { each(&WeightScript::begin_forward, pass); }
  void before_forward(std::int64_t piece) { each(&WeightScript::before_forward, piece); }
  void end_forward() { each(&WeightScript::end_forward); }
  void begin_backward(const ChunkPass& pass) { each(&WeightScript::begin_backward, pass); }
  void before_backward(std::int64_t piece) { each(&WeightScript::before_backward, piece); }
  void after_backward(std::int64_t piece);
  void end_backward() { each(&WeightScript::end_backward); }
  /// And after its message.
  void after_backward_pass();

 private:
  template <typename Method, typename... Arguments>
  void each(Method method, const Arguments&... arguments) {
    for (WeightScript& script : scripts_) (script.*method)(arguments...);
  }

  std::vector<WeightScript> scripts_;
};

}  // namespace cubicbench::sim
