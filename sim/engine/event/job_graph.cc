#include "sim/engine/event/job_graph.h"

#include <cstddef>

#include "sim/base/check.h"
#include "sim/engine/event/weight_script.h"
#include "sim/plan/pipeline_schedule.h"

namespace cubicbench::sim {
namespace {

std::size_t slot(Role role) { return static_cast<std::size_t>(role); }

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
void add_weight_families(const WeightGroups& groups, Role shard, Role replicate, Role reshard,
                         Role replica, SeatOf seat_of, JobGraph& graph) {
  const std::int64_t n = groups.replica.ranks;
  const auto part = [&](std::int64_t size) {
    return [=](std::int64_t rank) {
      const Seat whole = seat_of(rank);
      return Seat{whole.communicator * (n / size) + whole.member / size, whole.member % size};
    };
  };
  const std::int64_t shards = groups.shard.ranks;
  add_family(replica, n, seat_of, graph);
  add_family(shard, shards, part(shards), graph);
  add_family(reshard, groups.reshard.ranks, part(groups.reshard.ranks), graph);
  add_family(
      replicate, n / shards,
      [=](std::int64_t rank) {
        const Seat whole = seat_of(rank);
        return Seat{whole.communicator * shards + whole.member % shards, whole.member / shards};
      },
      graph);
}

/// The groups of the experts: the ranks of a stage in the order tensor, context, data are, from
/// inner to outer, ranks that share each expert, ranks that share the experts, and replicas of them
/// [Megatron-Core's parallel folding, arXiv 2504.14960]. `place` tells the stage and the place in
/// it; a stage has `stage_ranks`.
template <typename PlaceOf>
void add_expert_families(const DeviceMesh& mesh, std::int64_t stage_ranks, PlaceOf place,
                         JobGraph& graph) {
  const std::int64_t tensor = mesh.expert_tensor.ranks;
  const std::int64_t experts = mesh.expert.ranks;
  const std::int64_t node = mesh.expert_node.ranks;
  const std::int64_t replicas = stage_ranks / (tensor * experts);
  const auto family = [&](Role role, std::int64_t size, std::int64_t apart) {
    // Members lie `apart`; groups of `size * apart` ranks fill the stage one after the other.
    add_family(
        role, size,
        [=](std::int64_t rank) {
          const Seat at = place(rank);
          const std::int64_t block = at.member / (size * apart);
          const std::int64_t blocks = stage_ranks / (size * apart);
          return Seat{(at.communicator * blocks + block) * apart + at.member % apart,
                      at.member / apart % size};
        },
        graph);
  };
  family(Role::expert_tensor, tensor, 1);
  family(Role::expert, experts, tensor);
  family(Role::expert_node, node, tensor);
  family(Role::expert_across, mesh.expert_across.ranks, tensor * node);
  const auto replica = [=](std::int64_t rank) {
    const Seat at = place(rank);
    const std::int64_t apart = tensor * experts;
    return Seat{at.communicator * apart + at.member % apart, at.member / apart};
  };
  SIM_ASSERT(mesh.expert_weights.replica.ranks == replicas, replicas);
  add_weight_families(mesh.expert_weights, Role::expert_shard, Role::expert_replicate,
                      Role::expert_reshard, Role::expert_replica, replica, graph);
}

void add_edge(Role role, std::uint32_t from, std::uint32_t to, JobGraph& graph) {
  const auto id = static_cast<std::uint32_t>(graph.communicators.size());
  graph.communicators.push_back({.role = role,
                                 .first = static_cast<std::uint32_t>(graph.members.size()),
                                 .size = 2,
                                 .ranks = 2});
  graph.members.insert(graph.members.end(), {from, to});
  graph.ranks[from].communicator[slot(role)] = id;
  graph.ranks[to].incoming[role == Role::forward_edge ? 0 : 1] = id;
}

}  // namespace

JobGraph transformer_graph(const Plan& plan, const Cluster& cluster, const DeviceMesh& mesh,
                           bool has_experts) {
  JobGraph graph = ranks_of(cluster.gpus);
  const std::int64_t t = plan.tensor_parallel;
  const std::int64_t c = plan.context_parallel;
  const std::int64_t p = plan.pipeline_parallel;
  const auto stage_of = [=](std::int64_t rank) { return rank / (t * c) % p; };
  for (JobRank& rank : graph.ranks) {
    rank.stage = static_cast<std::uint16_t>(stage_of(rank.rank));
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
    return Seat{stage_of(rank) * t + rank % t, rank / (t * c * p) * c + rank / t % c};
  };
  add_weight_families(mesh.weights, Role::shard, Role::replicate, Role::reshard, Role::replica,
                      replica, graph);
  const auto place = [=](std::int64_t rank) {
    return Seat{stage_of(rank), rank / (t * c * p) * (t * c) + rank % (t * c)};
  };
  if (has_experts) add_expert_families(mesh, cluster.gpus / p, place, graph);
  if (p == 1) return graph;
  for (std::int64_t rank = 0; rank < cluster.gpus; ++rank) {
    const std::int64_t first = rank - stage_of(rank) * t * c;  // the same place in stage 0
    const auto at = [&](std::int64_t stage) {
      return static_cast<std::uint32_t>(first + (stage + p) % p * t * c);
    };
    const auto from = static_cast<std::uint32_t>(rank);
    // From the last stage to the first goes what has another chunk before it.
    const bool wraps = chunks_per_stage(plan) > 1;
    const std::int64_t stage = stage_of(rank);
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
    const WeightRoles roles = weight_roles(static_cast<ModuleGroup>(i));
    add_weight_families(program.archs[i].groups, roles.shard, roles.replicate, roles.reshard,
                        roles.replica, everyone, graph);
  }
  return graph;
}

}  // namespace cubicbench::sim
