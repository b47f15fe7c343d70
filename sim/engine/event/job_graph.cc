#include "sim/engine/event/job_graph.h"

#include <cstddef>

#include "sim/base/check.h"
#include "sim/engine/event/weight_script.h"
#include "sim/plan/pipeline_schedule.h"
#include "sim/plan/split_shape.h"

namespace cubicbench::sim {
namespace {

JobGraph ranks_of(const JobShape& job) {
  const RankOrder order = job.order();
  JobGraph graph;
  graph.ranks.resize(static_cast<std::size_t>(job.ranks));
  for (std::size_t i = 0; i < graph.ranks.size(); ++i) {
    JobRank& rank = graph.ranks[i];
    rank.rank = static_cast<std::uint32_t>(i);
    rank.stage = static_cast<std::uint16_t>(order.place(rank.rank).stage);
    rank.communicator.fill(no_communicator);
    rank.incoming.fill(no_communicator);
  }
  return graph;
}

/// Adds communicators in the order of stages and, in a stage, of their first ranks.
void add_family(const JobShape& job, const Family& family, JobGraph& graph) {
  const std::int64_t in_stage = job.stage_ranks() / family.size;
  const std::size_t first_communicator = graph.communicators.size();
  const std::size_t first_member = graph.members.size();
  graph.members.resize(first_member + graph.ranks.size());
  for (std::int64_t i = 0; i < in_stage * job.stages(); ++i) {
    graph.communicators.push_back({.role = family.role,
                                   .first = static_cast<std::uint32_t>(
                                       first_member + static_cast<std::size_t>(i * family.size)),
                                   .size = static_cast<std::uint32_t>(family.size),
                                   .ranks = static_cast<std::uint32_t>(family.ranks)});
  }
  const RankOrder order = job.order();
  for (JobRank& rank : graph.ranks) {
    const StagePlace at = order.place(rank.rank);
    const std::int64_t number = at.stage * in_stage + at.member / family.stretch() * family.apart +
                                at.member % family.apart;
    const std::int64_t member = at.member / family.apart % family.size;
    graph.members[first_member + static_cast<std::size_t>(number * family.size + member)] =
        rank.rank;
    rank.communicator[slot(family.role)] =
        static_cast<std::uint32_t>(first_communicator + static_cast<std::size_t>(number));
  }
}

void add_family(Role role, std::int64_t size, std::int64_t apart, JobShape& job) {
  if (size <= 1) return;
  SIM_ASSERT(job.stage_ranks() % (size * apart) == 0, size, apart, job.stage_ranks());
  job.families.push_back({.role = role, .size = size, .apart = apart, .ranks = size});
}

/// The groups that share weights: replicas, whose members are `apart` places apart, and their
/// parts.
void add_weight_families(const WeightGroups& groups, const WeightRoles& roles, std::int64_t apart,
                         JobShape& job) {
  const std::int64_t shards = groups.shard.ranks;
  add_family(roles.replica, groups.replica.ranks, apart, job);
  add_family(roles.shard, shards, apart, job);
  add_family(roles.reshard, groups.reshard.ranks, apart, job);
  add_family(roles.replicate, groups.replica.ranks / shards, apart * shards, job);
}

/// The groups of the experts: of the ranks of a stage, from inner to outer, those that share each
/// expert, those that share the experts, and those that hold the same ones [DeviceMesh].
void add_expert_families(const DeviceMesh& mesh, JobShape& job) {
  const std::int64_t tensor = mesh.expert_tensor.ranks;
  const std::int64_t node = mesh.expert_node.ranks;
  add_family(Role::expert_tensor, tensor, 1, job);
  add_family(Role::expert, mesh.expert.ranks, tensor, job);
  add_family(Role::expert_node, node, tensor, job);
  add_family(Role::expert_across, mesh.expert_across.ranks, tensor * node, job);
  const std::int64_t apart = tensor * mesh.expert.ranks;
  SIM_ASSERT(mesh.expert_weights.replica.ranks * apart == job.stage_ranks(), apart,
             job.stage_ranks());
  add_weight_families(mesh.expert_weights, expert_weight_roles, apart, job);
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

void add_edges(const JobShape& job, JobGraph& graph) {
  const RankOrder order = job.order();
  const std::int64_t p = job.stages();
  // From the last stage to the first goes what has another chunk before it.
  const bool wraps = chunks_per_stage(job.plan) > 1;
  for (std::uint32_t from = 0; from < graph.ranks.size(); ++from) {
    const StagePlace place = order.place(from);
    const auto at = [&](std::int64_t stage) {
      return static_cast<std::uint32_t>(order.rank({(stage + p) % p, place.member}));
    };
    const std::int64_t stage = place.stage;
    if (splits_backward(job.plan.schedule)) {
      add_split_edges(job.plan, stage, at, graph);
      continue;
    }
    if (wraps || stage + 1 < p) add_edge(Role::forward_edge, from, at(stage + 1), graph);
    if (wraps || stage > 0) add_edge(Role::backward_edge, from, at(stage - 1), graph);
  }
}

}  // namespace

JobShape transformer_shape(const Plan& plan, const Cluster& cluster, const DeviceMesh& mesh) {
  JobShape job{.plan = plan,
               .ranks = cluster.gpus,
               .stages_outermost = mesh.stages_outermost,
               .families = {}};
  add_family(Role::tensor, plan.tensor_parallel, 1, job);
  add_family(Role::context, ring_degree(plan), plan.tensor_parallel * plan.ulysses_degree, job);
  add_family(Role::context_heads, plan.ulysses_degree, plan.tensor_parallel, job);
  add_weight_families(mesh.weights, WeightRoles{}, plan.tensor_parallel, job);
  if (mesh.has_experts) add_expert_families(mesh, job);
  return job;
}

JobShape recommendation_shape(const Plan& plan, const Cluster& cluster,
                              const RecommendationProgram& program) {
  JobShape job{.plan = plan, .ranks = cluster.gpus, .stages_outermost = false, .families = {}};
  const TableSharding& sharding = program.sharding;
  add_family(Role::exchange, sharding.ranks, sharding.copies, job);
  add_family(Role::input, sharding.ranks, sharding.copies, job);
  add_family(Role::exchange_world, cluster.gpus, 1, job);
  add_family(Role::exchange_node, sharding.node_ranks, sharding.copies, job);
  add_family(Role::exchange_copies, sharding.copies, 1, job);
  for (std::size_t i = 0; i < module_group_count; ++i) {
    if (program.archs[i].layers <= 0.0) continue;
    add_weight_families(program.archs[i].groups, weight_roles(static_cast<ModuleGroup>(i)), 1, job);
  }
  return job;
}

JobGraph job_graph(const JobShape& job) {
  JobGraph graph = ranks_of(job);
  for (const Family& family : job.families) add_family(job, family, graph);
  if (job.stages() > 1) add_edges(job, graph);
  return graph;
}

}  // namespace cubicbench::sim
