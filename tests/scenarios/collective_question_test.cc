#include "scenarios/collective_question.h"

#include <gtest/gtest.h>

namespace cubicbench::scenarios {
namespace {

AskedCluster cluster_of(const char* name) { return read_asked_cluster(name, "test"); }

TEST(CollectiveQuestion, GroupsOnTheSameAdapterShareIt) {
  // Four adapters for eight GPUs: the first two GPUs of a node have one between them.
  const AskedCluster cluster = cluster_of("nvlink3-efa");
  struct Case {
    std::int64_t per_domain;
    std::int64_t groups;
    double share;
  };
  for (const Case& c : {Case{1, 1, 2.0}, Case{1, 2, 1.0}, Case{1, 3, 4.0 / 3.0}, Case{1, 8, 1.0},
                        Case{2, 1, 1.0}, Case{8, 1, 1.0}}) {
    const AskedGroups asked{
        .ranks = 4 * c.per_domain, .groups = c.groups, .ranks_per_domain = c.per_domain};
    EXPECT_NEAR(group_of(asked, cluster).ring_share, c.share, 1e-12) << c.per_domain << c.groups;
  }
  const AskedGroups alone{.ranks = 4, .groups = 1, .ranks_per_domain = 1};
  EXPECT_EQ(group_of(alone, cluster_of("nvlink4-efa")).ring_share, 1.0) << "four adapters a GPU";
}

TEST(CollectiveQuestion, GroupsBelowTheSameLeafShareItsUplinks) {
  // Racks of four nodes, 1:3. One GPU on each of 16 nodes sends 12 of 15 parts out of its rack:
  // 4 x 0.8 adapters of one group fit into 32 / 3, 32 x 0.8 of eight do not.
  const AskedCluster cluster = cluster_of("leaf-spine-3to1");
  const auto share = [&](std::int64_t groups) {
    const AskedGroups asked{.ranks = 16, .groups = groups, .ranks_per_domain = 1};
    return group_of(asked, cluster).all_to_all_share;
  };
  EXPECT_EQ(share(1), 1.0);
  EXPECT_EQ(share(3), 1.0);
  EXPECT_NEAR(share(4), (32.0 / 3.0) / (16.0 * 0.8), 1e-12);
  EXPECT_NEAR(share(8), (32.0 / 3.0) / (32.0 * 0.8), 1e-12);
}

TEST(CollectiveQuestion, GroupsInOneNvlinkDomainDoNotShare) {
  const AskedCluster cluster = cluster_of("nvl72-ndr");
  const auto time = [&](std::int64_t groups) {
    const sim::Group group = group_of({.ranks = 8, .groups = groups}, cluster);
    return answer(sim::Collective::all_gather, 1e9, group, cluster.network)->cost.time;
  };
  EXPECT_EQ(time(1), time(9));
}

TEST(CollectiveQuestion, OneGpuANodeIsAsFarApartAsItsNodes) {
  // Racks of two nodes: of the steps between 16 nodes every second leaves the rack.
  const AskedCluster cluster = cluster_of("llama3-roce");
  const sim::Group group = group_of({.ranks = 16, .groups = 1, .ranks_per_domain = 1}, cluster);
  EXPECT_NEAR(group.ring_hop.value, 0.5 * cluster.network.tiers[0].latency.value, 1e-15);
  EXPECT_EQ(group.ring_share, 1.0);
}

}  // namespace
}  // namespace cubicbench::scenarios
