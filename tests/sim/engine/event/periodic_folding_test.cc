// Folding a few periods of a job against folding all of its ranks: two ways to the same classes.
#include "sim/engine/event/periodic_folding.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "sim/engine/event/rank_temper.h"
#include "sim/engine/event/weight_script.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

/// A job of which only its groups and the kinds of its traffic count.
struct Case {
  Plan plan;
  Cluster cluster;
  bool stages_outermost = false;
  Algorithm reduction = Algorithm::ring;  ///< between the copies of sharded weights

  bool has_experts() const { return plan.expert_parallel > 1; }
  DeviceMesh mesh() const {
    return has_experts() ? expert_device_mesh(plan, cluster)
                         : device_mesh(plan, cluster, stages_outermost);
  }
};

Transfer moving(Collective op, Algorithm algorithm) {
  return {.op = op,
          .algorithm = algorithm,
          .bytes = Bytes{1e8},
          .latency = SimTime{1'000'000},
          .busy = SimTime{4'000'000'000}};
}

/// Every role has traffic; stages differ.
StepScript script_of(const Case& job) {
  StepScript script;
  BlockTimes block;
  block.hidden = moving(Collective::all_gather, Algorithm::ring);
  block.bare = moving(Collective::reduce_scatter, Algorithm::ring);
  block.context = moving(Collective::all_gather, Algorithm::ring);
  const Transfer tokens = moving(Collective::all_to_all, Algorithm::direct);
  for (const Role role : {Role::expert, Role::expert_node, Role::expert_across}) {
    block.experts.legs.push_back({.before = {}, .transfers = {{"", role, tokens}}});
  }
  script.blocks.push_back(block);
  script.messages.fill(moving(Collective::send_receive, Algorithm::direct));
  script.transfers = {moving(Collective::all_gather, Algorithm::ring),
                      moving(Collective::all_reduce, job.reduction)};
  StageScript stage;
  for (const WeightRoles roles : {WeightRoles{}, expert_weight_roles}) {
    for (const Role role : {roles.shard, roles.reshard}) {
      stage.streams[0].push_back({.name = "", .role = role, .transfer = 0});
    }
    for (const Role role : {roles.replicate, roles.replica}) {
      stage.streams[0].push_back({.name = "", .role = role, .transfer = 1});
    }
  }
  script.stages.assign(static_cast<std::size_t>(job.plan.pipeline_parallel), stage);
  return script;
}

RoleGroups groups_of(const DeviceMesh& mesh) {
  RoleGroups groups;
  const auto set_weights = [&](const WeightRoles& roles, const WeightGroups& weights) {
    groups[slot(roles.shard)] = weights.shard;
    groups[slot(roles.replicate)] = weights.replicate;
    groups[slot(roles.reshard)] = weights.reshard;
    groups[slot(roles.replica)] = weights.replica;
  };
  groups[slot(Role::tensor)] = mesh.tensor;
  groups[slot(Role::context)] = mesh.context;
  set_weights(WeightRoles{}, mesh.weights);
  groups[slot(Role::expert)] = mesh.expert;
  groups[slot(Role::expert_node)] = mesh.expert_node;
  groups[slot(Role::expert_across)] = mesh.expert_across;
  set_weights(expert_weight_roles, mesh.expert_weights);
  for (std::size_t edge = 0; edge < edge_count; ++edge) {
    groups[slot(edge_role(edge))] = mesh.pipeline;
  }
  return groups;
}

/// All of a folded job but bundles that carry nothing; the others by the order of their first use.
std::string written(const FoldedJob& job) {
  std::ostringstream out;
  out << std::hexfloat;
  for (const JobRank& rank : job.graph.ranks) {
    out << "rank " << rank.rank << " of stage " << rank.stage << " for " << rank.stands_for << ':';
    for (const std::uint32_t id : rank.communicator) out << ' ' << id;
    for (const std::uint32_t id : rank.incoming) out << ' ' << id;
    out << '\n';
  }
  std::map<BundleId, std::size_t> names;
  for (std::uint32_t i = 0; i < job.graph.communicators.size(); ++i) {
    const Communicator& one = job.graph.communicators[i];
    out << "role " << slot(one.role) << " of " << one.ranks << " for " << one.stands_for << ':';
    for (const std::uint32_t member : job.graph.members_of(one)) out << ' ' << member;
    if (job.loads.first_load.empty()) continue;
    for (const CommunicatorLoad& load : job.loads.loads_of(job.graph, i)) {
      out << " | " << load.flow_bytes;
      for (const LinkUse& use : job.loads.uses_of(load)) {
        const std::size_t name = names.try_emplace(use.bundle, names.size()).first->second;
        out << ' ' << name << " (" << job.loads.capacities[use.bundle] << ") " << use.weight;
      }
    }
    out << '\n';
  }
  return out.str();
}

std::optional<FoldedJob> folded_by_periods(const Case& job, bool contention) {
  const DeviceMesh mesh = job.mesh();
  return fold_periods(transformer_shape(job.plan, job.cluster, mesh), script_of(job),
                      groups_of(mesh), job.cluster, contention);
}

FoldedJob folded_whole(const Case& job, bool contention) {
  const DeviceMesh mesh = job.mesh();
  const JobGraph graph = job_graph(transformer_shape(job.plan, job.cluster, mesh));
  const JobLoads loads =
      contention ? job_loads(graph, script_of(job), groups_of(mesh), job.cluster, {}) : JobLoads{};
  return fold(graph, loads, colours_of(graph, {}));
}

/// Whether there was a period to fold.
bool folds_alike(const Case& job, bool contention) {
  const auto by_periods = folded_by_periods(job, contention);
  if (!by_periods) return false;
  EXPECT_EQ(written(*by_periods), written(folded_whole(job, contention)));
  return true;
}

Plan plan_of(std::int64_t tensor, std::int64_t context, std::int64_t pipeline) {
  Plan plan;
  plan.tensor_parallel = tensor;
  plan.context_parallel = context;
  plan.pipeline_parallel = pipeline;
  plan.sharding = Sharding::full_shard;
  return plan;
}

Cluster on_tiers(int gpus, FabricKind fabric, Tier lower, Tier upper) {
  Cluster cluster = round_cluster(gpus);
  cluster.network.fabric = fabric;
  cluster.network.tiers[0] = lower;
  cluster.network.tiers[1] = upper;
  return cluster;
}

/// Networks whose blocks fit the job and such whose last blocks are not full.
std::vector<Cluster> clusters(int gpus) {
  std::vector<Cluster> all{round_cluster(gpus)};
  all.push_back(on_tiers(gpus, FabricKind::clos, {16, 1.0, 1_us}, {}));
  all.push_back(on_tiers(gpus, FabricKind::clos, {16, 3.0, 1_us}, {32, 8.0, 1_us}));
  all.push_back(on_tiers(gpus, FabricKind::clos, {16, 1.0, 1_us}, {96, 1.5, 1_us}));
  all.push_back(on_tiers(gpus, FabricKind::clos, {48, 1.0, 1_us}, {}));
  all.push_back(on_tiers(gpus, FabricKind::clos, {24, 2.0, 1_us}, {72, 9.0, 1_us}));
  all.push_back(on_tiers(gpus, FabricKind::rail, {32, 1.0, 1_us}, {}));
  all.push_back(on_tiers(gpus, FabricKind::rail, {32, 2.0, 1_us}, {192, 1.5, 1_us}));
  all.push_back(on_tiers(gpus, FabricKind::islands, {128, 5.0, 1_us}, {}));
  all.push_back(on_tiers(gpus, FabricKind::dragonfly, {16, 0.5, 1_us}, {64, 2.0, 1_us}));
  all.push_back(round_cluster(gpus));
  all.back().network.domain = DomainKind::direct;
  all.back().network.direct_peers = 7;
  all.push_back(round_cluster(gpus));
  all.back().network.domain = DomainKind::torus;
  all.back().network.torus = {4, 4, 1};
  all.back().network.intra_bandwidth = 70_GBps;
  all.back().gpus_per_node = 16;
  return all;
}

constexpr std::size_t cluster_count = 12;

TEST(PeriodicFolding, FindsTheClassesOfAllRanks) {
  std::vector<int> folded(cluster_count);
  for (const int gpus : {512, 768}) {
    const std::vector<Cluster> networks = clusters(gpus);
    ASSERT_EQ(networks.size(), cluster_count);
    for (std::size_t network = 0; network < cluster_count; ++network) {
      for (const Plan& plan : {plan_of(2, 1, 1), plan_of(8, 1, 1), plan_of(2, 2, 4),
                               plan_of(8, 1, 2), plan_of(4, 2, 4)}) {
        for (const bool outermost : {false, true}) {
          const Case job{.plan = plan, .cluster = networks[network], .stages_outermost = outermost};
          SCOPED_TRACE(testing::Message()
                       << gpus << " GPUs, network " << network << ", tensor "
                       << plan.tensor_parallel << ", context " << plan.context_parallel
                       << ", pipeline " << plan.pipeline_parallel << ", outermost " << outermost);
          EXPECT_TRUE(folds_alike(job, false));
          if (folds_alike(job, true)) ++folded[network];
        }
      }
    }
  }
  for (std::size_t network = 0; network < cluster_count; ++network) {
    const bool is_dragonfly = clusters(512)[network].network.fabric == FabricKind::dragonfly;
    EXPECT_EQ(folded[network] > 0, !is_dragonfly) << network << ": " << folded[network];
  }
}

TEST(PeriodicFolding, FindsTheClassesOfShardGroupsAndExperts) {
  int folded = 0;
  for (const Cluster& cluster : clusters(512)) {
    Plan hybrid = plan_of(2, 1, 2);
    hybrid.sharding = Sharding::hybrid_shard;
    for (const std::int64_t shard_group : {2, 4, 16}) {
      hybrid.shard_group = shard_group;
      hybrid.reshard_after_forward = 2;
      folded += folds_alike({.plan = hybrid, .cluster = cluster}, true) ? 1 : 0;
    }
    Plan experts = plan_of(2, 1, 2);
    for (const std::int64_t shared_by : {4, 16}) {
      experts.expert_parallel = shared_by;
      folded += folds_alike({.plan = experts, .cluster = cluster}, true) ? 1 : 0;
      EXPECT_TRUE(folds_alike({.plan = experts, .cluster = cluster}, false));
    }
  }
  EXPECT_GE(folded, 30);
}

TEST(PeriodicFolding, RefusesWhatDoesNotRepeatItself) {
  const Case job{.plan = plan_of(8, 1, 2),
                 .cluster = on_tiers(512, FabricKind::clos, {16, 1.0, 1_us}, {96, 1.5, 1_us})};
  EXPECT_TRUE(folded_by_periods(job, true));
  Case few = job;
  few.cluster.gpus = 64;  // four replicas
  EXPECT_FALSE(folded_by_periods(few, true));
  EXPECT_FALSE(folded_by_periods(few, false));
  for (const Placement placement : {Placement::scattered, Placement::partly_used}) {
    Case elsewhere = job;
    elsewhere.cluster.placement = placement;
    EXPECT_FALSE(folded_by_periods(elsewhere, true));
    EXPECT_TRUE(folded_by_periods(elsewhere, false));
  }
  Case trees = job;
  trees.reduction = Algorithm::tree;
  EXPECT_FALSE(folded_by_periods(trees, true));
  Case tight = job;  // where in a block of 96 GPUs a rank is may matter
  tight.cluster.network.tiers[1].oversubscription = 100.0;
  EXPECT_FALSE(folded_by_periods(tight, true));
}

TEST(PeriodicFolding, StandsForAllRanksOfTheJob) {
  const Case job{.plan = plan_of(8, 1, 16), .cluster = round_cluster(16'384)};
  const auto folded = folded_by_periods(job, true);
  ASSERT_TRUE(folded);
  ASSERT_EQ(folded->graph.ranks.size(), 16U);  // one of each stage
  for (std::size_t stage = 0; stage < 16; ++stage) {
    const JobRank& rank = folded->graph.ranks[stage];
    EXPECT_EQ(rank.stands_for, 1024U);
    EXPECT_EQ(rank.rank, 8 * stage);
    EXPECT_EQ(folded->graph.communicators[rank.on(Role::shard)].ranks, 128U);
  }
}

}  // namespace
}  // namespace cubicbench::sim
