#include "sim/engine/event/job_graph.h"

#include <cstddef>

#include "sim/base/check.h"
#include "sim/engine/event/weight_script.h"
#include "sim/plan/pipeline_schedule.h"
#include "sim/plan/split_shape.h"

namespace cubicbench::sim {
namespace {

/// Which communicator of a family a rank is in, and as which member.
struct Seat {
  std::int64_t communicator = 0;
  std::int64_t member = 0;
};

JobGraph ranks_of(std::int64_t ranks) {
  JobGraph graph;
  graph.ranks.resize(static_cast<std::size_t>(ranks));
  for (std::size_t i = 0; i < graph.ranks.size(); ++i) {
    JobRank& rank = graph.ranks[i];
    rank.rank = static_cast<std::uint32_t>(i);
    rank.communicator.fill(no_communicator);
    rank.incoming.fill(no_communicator);
  }
  return graph;
}

/// Adds communicators of `size` ranks each, whose members `seat` tells.
template <typename SeatOf>
void add_family(Role role, std::int64_t size, SeatOf seat_of, JobGraph& graph) {
  if (size <= 1) return;
  const auto ranks = static_cast<std::int64_t>(graph.ranks.size());
  const std::size_t first_communicator = graph.communicators.size();
  const std::size_t first_member = graph.members.size();
  graph.members.resize(first_member + graph.ranks.size());
  for (std::int64_t i = 0; i < ranks / size; ++i) {
    graph.communicators.push_back(
        {.role = role,
         .first = static_cast<std::uint32_t>(first_member + static_cast<std::size_t>(i * size)),
         .size = static_cast<std::uint32_t>(size),
         .ranks = static_cast<std::uint32_t>(size)});
  }
  for (std::int64_t rank = 0; rank < ranks; ++rank) {
    const Seat seat = seat_of(rank);
    const auto place = static_cast<std::size_t>(seat.communicator * size + seat.member);
    graph.members[first_member + place] = static_cast<std::uint32_t>(rank);
    graph.ranks[static_cast<std::size_t>(rank)].communicator[slot(role)] =
        static_cast<std::uint32_t>(first_communicator +
                                   static_cast<std::size_t>(seat.communicator));
  }
}

/// The groups that share weights: parts of replicas, of which rank `r` is member `seat(r).member`.
template <typename SeatOf>
void add_weight_families(const WeightGroups& groups, const WeightRoles& roles, SeatOf seat_of,
                         JobGraph& graph) {
  const std::int64_t n = groups.replica.ranks;
  const auto part = [&](std::int64_t size) {
    return [=](std::int64_t rank) {
      const Seat whole = seat_of(rank);
      return Seat{whole.communicator * (n / size) + whole.member / size, whole.member % size};
    };
  };
  const std::int64_t shards = groups.shard.ranks;
  add_family(roles.replica, n, seat_of, graph);
  add_family(roles.shard, shards, part(shards), graph);
  add_family(roles.reshard, groups.reshard.ranks, part(groups.reshard.ranks), graph);
  add_family(
      roles.replicate, n / shards,
      [=](std::int64_t rank) {
        const Seat whole = seat_of(rank);
        return Seat{whole.communicator * shards + whole.member % shards, whole.member / shards};
      },
      graph);
}

/// The groups of the experts: of the ranks of a stage, from inner to outer, those that share each
/// expert, those that share the experts, and those that hold the same ones [DeviceMesh].
void add_expert_families(const DeviceMesh& mesh, const RankOrder& order, std::int64_t stage_ranks,
                         JobGraph& graph) {
  const std::int64_t tensor = mesh.expert_tensor.ranks;
  const std::int64_t experts = mesh.expert.ranks;
  const std::int64_t node = mesh.expert_node.ranks;
  // Members lie `apart`; groups of `size * apart` ranks fill a stage one after the other.
  const auto family = [&](Role role, std::int64_t size, std::int64_t apart) {
    add_family(
        role, size,
        [=](std::int64_t rank) {
          const StagePlace at = order.place(rank);
          const std::int64_t groups = stage_ranks / (size * apart);
          const std::int64_t group = at.stage * groups + at.member / (size * apart);
          return Seat{group * apart + at.member % apart, at.member / apart % size};
        },
        graph);
  };
  family(Role::expert_tensor, tensor, 1);
  family(Role::expert, experts, tensor);
  family(Role::expert_node, node, tensor);
  family(Role::expert_across, mesh.expert_across.ranks, tensor * node);
  const std::int64_t apart = tensor * experts;
  SIM_ASSERT(mesh.expert_weights.replica.ranks * apart == stage_ranks, apart, stage_ranks);
  const auto replica = [=](std::int64_t rank) {
    const StagePlace at = order.place(rank);
    return Seat{at.stage * apart + at.member % apart, at.member / apart};
  };
  add_weight_families(mesh.expert_weights, expert_weight_roles, replica, graph);
}

/// An edge of `from`, whose messages `to` receives as those of its incoming edge `as`.
void add_edge(Role role, std::uint32_t from, std::uint32_t to, std::size_t as, JobGraph& graph) {
  const auto id = static_cast<std::uint32_t>(graph.communicators.size());
  graph.communicators.push_back({.role = role,
                                 .first = static_cast<std::uint32_t>(graph.members.size()),
                                 .size = 2,
                                 .ranks = 2});
  graph.members.insert(graph.members.end(), {from, to});
  graph.ranks[from].communicator[slot(role)] = id;
  graph.ranks[to].incoming[as] = id;
}

void add_edge(Role role, std::uint32_t from, std::uint32_t to, JobGraph& graph) {
  add_edge(role, from, to, edge_of(role), graph);
}

/// Edges of a stage whose backward passes are split. `at` tells the same place of another stage.
/// In the middle of DualPipe what leaves one chunk is what the other stage's other chunk gets.
template <typename RankAt>
void add_split_edges(const Plan& plan, std::int64_t stage, RankAt at, JobGraph& graph) {
  const SplitShape shape = split_shape(plan, 1);
  const std::int64_t here = shape_stage(plan, stage);
  const std::int64_t next = here == stage ? stage + 1 : stage - 1;
  const std::int64_t before = here == stage ? stage - 1 : stage + 1;
  const std::uint32_t from = at(stage);
  const bool turns = here + 1 == shape.stages;
  const auto edge = [&](Role role, std::int64_t to, Role as) {
    add_edge(role, from, at(to), edge_of(as), graph);
  };
  if (!turns) edge(Role::forward_edge, next, Role::forward_edge);
  if (here > 0) edge(Role::backward_edge, before, Role::backward_edge);
  if (shape.is_line()) return;
  if (here > 0) edge(Role::return_edge, before, Role::return_edge);
  if (!turns) edge(Role::return_backward_edge, next, Role::return_backward_edge);
  if (!turns || !shape.turn_sends()) return;
  edge(Role::forward_edge, next, Role::return_edge);
  edge(Role::return_backward_edge, next, Role::backward_edge);
}

}  // namespace

JobGraph transformer_graph(const Plan& plan, const Cluster& cluster, const DeviceMesh& mesh) {
  JobGraph graph = ranks_of(cluster.gpus);
  const std::int64_t t = plan.tensor_parallel;
  const std::int64_t c = plan.context_parallel;
  const std::int64_t p = plan.pipeline_parallel;
  const RankOrder order(plan, cluster.gpus, mesh.stages_outermost);
  for (JobRank& rank : graph.ranks) {
    rank.stage = static_cast<std::uint16_t>(order.place(rank.rank).stage);
  }
  add_family(
      Role::tensor, t,
      [=](std::int64_t rank) {
        return Seat{rank / t, rank % t};
      },
      graph);
  add_family(
      Role::context, c,
      [=](std::int64_t rank) {
        return Seat{rank / (t * c) * t + rank % t, rank / t % c};
      },
      graph);
  const auto replica = [=](std::int64_t rank) {
    const StagePlace at = order.place(rank);
    return Seat{at.stage * t + at.member % t, at.member / t};
  };
  add_weight_families(mesh.weights, WeightRoles{}, replica, graph);
  if (mesh.has_experts) add_expert_families(mesh, order, cluster.gpus / p, graph);
  if (p == 1) return graph;
  for (std::int64_t rank = 0; rank < cluster.gpus; ++rank) {
    const StagePlace place = order.place(rank);
    const auto at = [&](std::int64_t stage) {
      return static_cast<std::uint32_t>(order.rank({(stage + p) % p, place.member}));
    };
    const auto from = static_cast<std::uint32_t>(rank);
    // From the last stage to the first goes what has another chunk before it.
    const bool wraps = chunks_per_stage(plan) > 1;
    const std::int64_t stage = place.stage;
    if (splits_backward(plan.schedule)) {
      add_split_edges(plan, stage, at, graph);
      continue;
    }
    if (wraps || stage + 1 < p) add_edge(Role::forward_edge, from, at(stage + 1), graph);
    if (wraps || stage > 0) add_edge(Role::backward_edge, from, at(stage - 1), graph);
  }
  return graph;
}

JobGraph recommendation_graph(const Cluster& cluster, const RecommendationProgram& program) {
  JobGraph graph = ranks_of(cluster.gpus);
  const TableSharding& sharding = program.sharding;
  const std::int64_t copies = sharding.copies;
  const std::int64_t node = sharding.node_ranks;
  const auto everyone = [](std::int64_t rank) { return Seat{0, rank}; };
  const auto of_copy = [=](std::int64_t rank) { return Seat{rank % copies, rank / copies}; };
  add_family(Role::exchange, sharding.ranks, of_copy, graph);
  add_family(Role::input, sharding.ranks, of_copy, graph);
  add_family(Role::exchange_world, cluster.gpus, everyone, graph);
  add_family(
      Role::exchange_node, node,
      [=](std::int64_t rank) {
        const std::int64_t member = rank / copies;
        return Seat{member / node * copies + rank % copies, member % node};
      },
      graph);
  add_family(
      Role::exchange_copies, copies,
      [=](std::int64_t rank) {
        return Seat{rank / copies, rank % copies};
      },
      graph);
  for (std::size_t i = 0; i < module_group_count; ++i) {
    if (program.archs[i].layers <= 0.0) continue;
    add_weight_families(program.archs[i].groups, weight_roles(static_cast<ModuleGroup>(i)),
                        everyone, graph);
  }
  return graph;
}

}  // namespace cubicbench::sim
