// Who shares experts with whom.
#include "sim/engine/event/job_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

using Families = std::vector<std::vector<std::uint32_t>>;

/// Members of all communicators of a role.
Families members(const JobGraph& graph, Role role) {
  Families all;
  for (const Communicator& one : graph.communicators) {
    if (one.role != role) continue;
    const auto ranks = graph.members_of(one);
    all.emplace_back(ranks.begin(), ranks.end());
  }
  return all;
}

/// Two tensor-parallel ranks, four replicas, two stages of eight ranks: those of a stage lie side
/// by side.
JobGraph sixteen_ranks(std::int64_t tensor, std::int64_t experts, std::int64_t on_node) {
  Plan plan;
  plan.tensor_parallel = 2;
  plan.pipeline_parallel = 2;
  const Cluster cluster = round_cluster(16);
  DeviceMesh mesh = device_mesh(plan, cluster, true);
  mesh.expert_tensor.ranks = tensor;
  mesh.expert.ranks = experts;
  mesh.expert_node.ranks = on_node;
  mesh.expert_across.ranks = experts / on_node;
  mesh.expert_weights.replica.ranks = 8 / (tensor * experts);
  mesh.expert_weights.shard.ranks = mesh.expert_weights.replica.ranks;
  mesh.has_experts = true;
  return job_graph(transformer_shape(plan, cluster, mesh));
}

TEST(JobGraph, RanksOfAStageShareExpertsInTheOrderTensorContextData) {
  const JobGraph graph = sixteen_ranks(1, 4, 1);
  EXPECT_THAT(members(graph, Role::expert_tensor), IsEmpty());
  EXPECT_EQ(members(graph, Role::expert),
            (Families{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}}));
  EXPECT_EQ(members(graph, Role::expert_replica),
            (Families{{0, 4}, {1, 5}, {2, 6}, {3, 7}, {8, 12}, {9, 13}, {10, 14}, {11, 15}}));
  EXPECT_EQ(members(graph, Role::expert_shard), members(graph, Role::expert_replica));
  EXPECT_EQ(members(graph, Role::expert_across), members(graph, Role::expert));
  EXPECT_THAT(members(graph, Role::expert_node), IsEmpty());
}

TEST(JobGraph, RanksThatShareEachExpertLieNextToEachOther) {
  const JobGraph graph = sixteen_ranks(2, 2, 1);
  EXPECT_EQ(members(graph, Role::expert_tensor),
            (Families{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}, {10, 11}, {12, 13}, {14, 15}}));
  EXPECT_EQ(members(graph, Role::expert),
            (Families{{0, 2}, {1, 3}, {4, 6}, {5, 7}, {8, 10}, {9, 11}, {12, 14}, {13, 15}}));
  EXPECT_EQ(members(graph, Role::expert_replica),
            (Families{{0, 4}, {1, 5}, {2, 6}, {3, 7}, {8, 12}, {9, 13}, {10, 14}, {11, 15}}));
}

TEST(JobGraph, ExchangesInTwoStepsAreOnANodeAndBetweenEqualPlacesOfNodes) {
  const JobGraph graph = sixteen_ranks(1, 8, 4);
  EXPECT_EQ(members(graph, Role::expert_node),
            (Families{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}}));
  EXPECT_EQ(members(graph, Role::expert_across),
            (Families{{0, 4}, {1, 5}, {2, 6}, {3, 7}, {8, 12}, {9, 13}, {10, 14}, {11, 15}}));
  EXPECT_THAT(members(graph, Role::expert_replica), IsEmpty());
}

TEST(JobGraph, StagesWithExpertsSendToTheSamePlaceOfTheNext) {
  const JobGraph graph = sixteen_ranks(1, 4, 1);
  const Families edges = members(graph, Role::forward_edge);
  ASSERT_EQ(edges.size(), 8U);
  for (std::uint32_t rank = 0; rank < 8; ++rank) {
    EXPECT_EQ(graph.ranks[rank].stage, 0);
    EXPECT_EQ(graph.ranks[rank + 8].stage, 1);
    EXPECT_THAT(edges[rank], ElementsAre(rank, rank + 8));
  }
  EXPECT_EQ(members(graph, Role::shard).size(), 4U);  // a tensor rank and stage each
  EXPECT_THAT(members(graph, Role::shard)[1], ElementsAre(1, 3, 5, 7));
}

TEST(JobGraph, EveryRankIsInTheCommunicatorsThatItKnows) {
  const JobGraph graph = sixteen_ranks(2, 2, 1);
  for (const JobRank& rank : graph.ranks) {
    for (const Role role : {Role::expert, Role::expert_tensor, Role::expert_shard}) {
      ASSERT_NE(rank.on(role), no_communicator);
      EXPECT_THAT(graph.members_of(graph.communicators[rank.on(role)]),
                  testing::Contains(rank.rank));
    }
  }
}

TEST(JobGraph, DenseModelsHaveNoCommunicatorsOfExperts) {
  const Cluster cluster = round_cluster(64);
  const Plan plan = round_plan();
  const JobGraph graph =
      job_graph(transformer_shape(plan, cluster, device_mesh(plan, cluster, true)));
  for (const Communicator& one : graph.communicators) {
    EXPECT_TRUE(one.role < Role::expert || one.role > Role::expert_replica);
  }
}

}  // namespace
}  // namespace cubicbench::sim
