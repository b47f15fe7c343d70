#include "sim/truth/between_nodes.h"

#include <array>
#include <cstddef>

#include "sim/engine/block_cost.h"
#include "sim/engine/itemised/itemised_traffic.h"
#include "sim/truth/job.h"

namespace cubicbench::sim {
namespace {

/// Where collectives run.
struct Places {
  bool in_nodes = false;
  bool between_nodes = false;

  void add(const Group& group) {
    if (group.ranks <= 1) return;  // nothing is sent
    (nodes_of(group) > 1 ? between_nodes : in_nodes) = true;
  }
  bool is_one() const { return !in_nodes || !between_nodes; }
};

using PartPlaces = std::array<Places, step_part_count>;

Places& of(PartPlaces& places, StepPart part) { return places[static_cast<std::size_t>(part)]; }

/// Of the collectives in all blocks, whichever of them the stage has that counts.
void add_blocks(const StepProgram& program, PartPlaces& places) {
  for (const Operation& op : program.operations) {
    if (op.stream == Stream::compute || op.stream == Stream::expert_storage) continue;
    of(places, op.part).add(group_of(program.mesh, op.stream));
  }
}

/// What the step exposes of weights' traffic is divided among gathers and reductions: where only
/// one of both is sent, or neither, that is left to itemised_traffic().
struct WeightPlaces {
  Places gathers;
  Places reductions;

  void add(const WeightTraffic& traffic, const WeightGroups& groups) {
    const WeightSchedule& schedule = traffic.schedule;
    if (schedule.gathers_once() || schedule.forward.gathers()) gathers.add(groups.shard);
    if (schedule.backward.gathers()) {
      gathers.add(traffic.backward_over_reshard_group ? groups.reshard : groups.shard);
    }
    reductions.add(traffic.reduce_scatters ? groups.shard : groups.replica);
    if (traffic.reduce_scatters) reductions.add(groups.replicate);
  }
  Places all() const {
    return {.in_nodes = gathers.in_nodes || reductions.in_nodes,
            .between_nodes = gathers.between_nodes || reductions.between_nodes};
  }
  bool is_one() const {
    return all().is_one() && gathers.between_nodes == reductions.between_nodes;
  }
};

WeightPlaces weight_places(const StepProgram& program) {
  WeightPlaces places;
  places.add(program.weights, program.mesh.weights);
  if (program.mesh.has_experts) places.add(program.expert_weights, program.mesh.expert_weights);
  return places;
}

}  // namespace

Seconds exposed_between_nodes(StepProgram& program, const StepReport& report,
                              const StepContext& on) {
  PartPlaces places{};
  add_blocks(program, places);
  of(places, StepPart::pipeline_communication).add(program.mesh.pipeline);
  const WeightPlaces weights = weight_places(program);
  of(places, StepPart::data_communication) = weights.all();
  Seconds sum;
  bool is_one = true;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!(report.parts[i] > Seconds{})) continue;
    const bool is_weights = static_cast<StepPart>(i) == StepPart::data_communication;
    is_one = is_one && (is_weights ? weights.is_one() : places[i].is_one());
    if (places[i].between_nodes) sum += report.parts[i];
  }
  return is_one ? sum : exposed_between_nodes(report, itemised_traffic(program, report, on));
}

}  // namespace cubicbench::sim
