#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/event/step_script.h"
#include "sim/hardware/cluster.h"
#include "sim/plan/device_mesh.h"
#include "sim/plan/plan.h"
#include "sim/program/recommendation_program.h"

namespace cubicbench::sim {

inline constexpr std::uint32_t no_communicator = 0xffff'ffff;

/// Ranks that send to each other. An edge of the pipeline has two: sender and receiver.
struct Communicator {
  Role role = Role::tensor;
  std::uint32_t first = 0;       ///< row of its first member in JobGraph::members
  std::uint32_t size = 0;        ///< members that are played
  std::uint32_t ranks = 0;       ///< members that these stand for
  std::uint32_t stands_for = 1;  ///< how many communicators this one is played for
};

/// A player of the game: a rank, or several that are provably alike.
struct JobRank {
  std::uint16_t stage = 0;  ///< whose script it plays
  std::uint32_t rank = 0;   ///< the first of those that it stands for
  std::uint32_t stands_for = 1;
  std::array<std::uint32_t, role_count> communicator{};  ///< of each role, those it sends on
  std::array<std::uint32_t, edge_count> incoming{};      ///< edges, by what it receives from them

  std::uint32_t on(Role role) const { return communicator[slot(role)]; }
};

/// Who talks to whom in a job.
struct JobGraph {
  std::vector<JobRank> ranks;
  std::vector<Communicator> communicators;
  std::vector<std::uint32_t> members;  ///< rows of `ranks`

  std::span<const std::uint32_t> members_of(const Communicator& communicator) const {
    return std::span(members).subspan(communicator.first, communicator.size);
  }
};

/// The communicators of one role as a rule. Ranks of a stage stand in a row (StagePlace), which is
/// cut into stretches of `size * apart`; of a stretch, those at equal places modulo `apart` form a
/// communicator.
struct Family {
  Role role = Role::tensor;
  std::int64_t size = 1;   ///< members
  std::int64_t apart = 1;  ///< places from one member to the next
  std::int64_t ranks = 1;  ///< members that these stand for

  std::int64_t stretch() const { return size * apart; }
};

/// A job as rules, whatever its number of ranks.
struct JobShape {
  Plan plan;
  std::int64_t ranks = 1;
  bool stages_outermost = false;
  std::vector<Family> families;  ///< of two members or more

  std::int64_t stages() const { return plan.pipeline_parallel; }
  std::int64_t stage_ranks() const { return ranks / plan.pipeline_parallel; }
  RankOrder order() const { return {plan, ranks, stages_outermost}; }
};

/// Families of experts only where the model has some.
JobShape transformer_shape(const Plan& plan, const Cluster& cluster, const DeviceMesh& mesh);

/// Of a recommendation model, its tables and archs in the groups of `program`.
JobShape recommendation_shape(const Plan& plan, const Cluster& cluster,
                              const RecommendationProgram& program);

/// All ranks of a job in the order of its mesh (RankOrder).
JobGraph job_graph(const JobShape& job);

}  // namespace cubicbench::sim
