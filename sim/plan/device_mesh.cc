#include "sim/plan/device_mesh.h"

#include <algorithm>
#include <numeric>

#include "sim/network/placement.h"
#include "sim/plan/validity.h"

namespace cubicbench::sim {
namespace {

/// How many of `ranks` members, `stride` GPUs apart, share a node.
std::int64_t members_on_node(std::int64_t ranks, std::int64_t stride, const Cluster& cluster) {
  return std::clamp<std::int64_t>(cluster.gpus_per_node / stride, 1, ranks);
}

Group side_by_side(std::int64_t ranks, std::int64_t stride, const Cluster& cluster) {
  return placed({ranks, members_on_node(ranks, stride, cluster)}, stride, cluster);
}

/// By default those of one node; where nodes are not all full, as many as divide the replicas.
std::int64_t shard_ranks(const Group& replica, Sharding sharding, const Plan& plan) {
  if (!shards_in_groups(sharding)) return replica.ranks;
  return std::gcd(replica.ranks, plan.shard_group > 0 ? plan.shard_group : replica.ranks_per_node);
}

/// The first `ranks` members of `whole`, which fill its nodes one after the other. Where the two
/// sizes do not nest some group straddles nodes, and the worst one counts.
Group inner(const Group& whole, std::int64_t ranks) {
  return {ranks, std::gcd(ranks, whole.ranks_per_node)};
}

/// One member of each `inner` group of `ranks`.
Group outer(const Group& whole, std::int64_t ranks) {
  return {whole.ranks / ranks, std::max<std::int64_t>(1, whole.ranks_per_node / ranks)};
}

}  // namespace

WeightGroups weight_groups(const Group& replica, Sharding sharding, const Plan& plan,
                           const Cluster& cluster) {
  return weight_groups(replica, cluster.gpus / replica.ranks, sharding, plan, cluster);
}

WeightGroups weight_groups(const Group& replica, std::int64_t stride, Sharding sharding,
                           const Plan& plan, const Cluster& cluster) {
  const std::int64_t ranks = shard_ranks(replica, sharding, plan);
  const auto place = [&](const Group& group, std::int64_t apart) {
    return placed(group, apart, cluster);
  };
  WeightGroups groups;
  groups.replica = place(replica, stride);
  groups.shard = ranks == replica.ranks ? groups.replica : place(inner(replica, ranks), stride);
  groups.replicate = place(outer(replica, ranks), stride * ranks);
  groups.reshard = place(
      inner(groups.shard, std::clamp<std::int64_t>(plan.reshard_after_forward, 1, ranks)), stride);
  return groups;
}

double communicators(const DeviceMesh& mesh, const Plan& plan) {
  const auto in_use = [](const Group& group) { return group.ranks > 1 ? 1.0 : 0.0; };
  return 1.0 + in_use(mesh.tensor) + in_use(mesh.context) + in_use(mesh.context_heads) +
         in_use(mesh.weights.replica) + (plan.pipeline_parallel > 1 ? 1.0 : 0.0) +
         in_use(mesh.expert) + in_use(mesh.expert_tensor) + in_use(mesh.expert_weights.replica);
}

DeviceMesh device_mesh(const Plan& plan, const Cluster& cluster, bool stages_outermost) {
  const std::int64_t t = plan.tensor_parallel;
  const std::int64_t c = plan.context_parallel;
  const std::int64_t p = plan.pipeline_parallel;
  const std::int64_t d = data_parallel(plan, cluster);
  const std::int64_t outside = stages_outermost ? 1 : p;  // stages between two members of a replica
  DeviceMesh mesh;
  mesh.stages_outermost = stages_outermost;
  mesh.tensor = side_by_side(t, 1, cluster);
  // A plan that check() refuses has groups, too: `launch` is asked for it.
  const std::int64_t ring = std::max<std::int64_t>(1, ring_degree(plan));
  mesh.context = side_by_side(ring, t * plan.ulysses_degree, cluster);
  if (plan.ulysses_degree > 1) mesh.context_heads = side_by_side(plan.ulysses_degree, t, cluster);
  const Group replica{d * c, stages_outermost ? members_on_node(d * c, t, cluster)
                                              : members_on_node(c, t, cluster) *
                                                    members_on_node(d, t * c * p, cluster)};
  mesh.weights = weight_groups(replica, t * outside, plan.sharding, plan, cluster);
  mesh.pipeline = side_by_side(p, stages_outermost ? t * c * d : t * c, cluster);
  return mesh;
}

DeviceMesh expert_device_mesh(const Plan& plan, const Cluster& cluster) {
  const std::int64_t t = plan.tensor_parallel;
  const std::int64_t c = plan.context_parallel;
  const std::int64_t stage = t * c * data_parallel(plan, cluster);
  const std::int64_t ep = plan.expert_parallel;
  const std::int64_t etp = plan.expert_tensor_parallel;
  DeviceMesh mesh = device_mesh(plan, cluster, true);
  mesh.has_experts = true;
  mesh.expert_tensor = side_by_side(etp, 1, cluster);
  const Group sharing{stage / etp, members_on_node(stage / etp, etp, cluster)};
  const Group expert = inner(sharing, ep);
  const std::int64_t on_node = expert.ranks_per_node;
  mesh.expert = placed(expert, etp, cluster);
  mesh.expert_node = placed({on_node, on_node}, etp, cluster);
  mesh.expert_across = placed({ep / on_node, 1}, etp * on_node, cluster);
  mesh.expert_weights = weight_groups(outer(sharing, ep), etp * ep, plan.sharding, plan, cluster);
  return mesh;
}

}  // namespace cubicbench::sim
