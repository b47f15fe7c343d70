#include "scenarios/collective/collective_question.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "scenarios/catalog.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

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
  for (const Case& c : {Case{1, 1, 2.0}, Case{1, 2, 1.0}, Case{1, 3, 1.0}, Case{1, 8, 1.0},
                        Case{2, 1, 1.0}, Case{3, 1, 1.0}, Case{8, 1, 1.0}}) {
    const AskedGroups asked{
        .ranks = 4 * c.per_domain, .groups = c.groups, .ranks_per_domain = c.per_domain};
    EXPECT_NEAR(group_of(asked, cluster).ring_share, c.share, 1e-12) << c.per_domain << c.groups;
  }
  const AskedGroups alone{.ranks = 4, .groups = 1, .ranks_per_domain = 1};
  EXPECT_EQ(group_of(alone, cluster_of("nvlink4-efa")).ring_share, 1.0) << "four adapters a GPU";
}

TEST(CollectiveQuestion, MoreGroupsAtOnceAreNeverFaster) {
  for (const char* name : {"nvlink3-efa", "nvlink4-tcpx", "leaf-spine-3to1"}) {
    SCOPED_TRACE(name);
    const AskedCluster cluster = cluster_of(name);
    double before = 0.0;
    for (std::int64_t groups = 1; groups <= 8; ++groups) {
      const AskedGroups asked{.ranks = 16, .groups = groups, .ranks_per_domain = 1};
      const auto said =
          answer(sim::Collective::all_to_all, 1e9, group_of(asked, cluster), cluster.network);
      EXPECT_GE(said->cost.time.value, before * (1.0 - 1e-12)) << groups;
      before = said->cost.time.value;
    }
  }
}

/// A scenario of the library with another cluster.
AskedCluster scenario_with(const char* scenario, const char* cluster) {
  auto json = nlohmann::ordered_json::parse(*text(Kind::scenario, scenario));
  json["cluster"].update(nlohmann::ordered_json::parse(cluster));
  const TemporaryFolder folder;
  write_text(folder / "scenario.json", json.dump());
  return read_asked_cluster(folder / "scenario.json", "test");
}

TEST(CollectiveQuestion, AScenarioHasTheAdaptersOfItsNetwork) {
  EXPECT_EQ(scenario_with("tiny-gpt", R"({"network": "nvlink3-efa"})").adapters, 4.0);
  // Nodes of four of its eight GPUs have two of the four adapters.
  const AskedCluster halves =
      scenario_with("tiny-gpt", R"({"network": "nvlink3-efa", "gpus_per_node": 4})");
  EXPECT_EQ(halves.adapters, 2.0);
  const AskedGroups alone{.ranks = 2, .groups = 1, .ranks_per_domain = 1};
  EXPECT_EQ(group_of(alone, halves).ring_share, 2.0);
  EXPECT_EQ(group_of(alone, cluster_of("nvlink3-efa")).ring_share, 2.0);
}

TEST(CollectiveQuestion, AScenarioIsPlacedAsItSays) {
  const AskedCluster scattered = scenario_with("llama3-405b", R"({"placement": "scattered"})");
  EXPECT_EQ(scattered.placement, sim::Placement::scattered);
  const auto share = [&](std::optional<sim::Placement> placement) {
    return group_of({.ranks = 4096, .groups = 4, .placement = placement}, scattered).ring_share;
  };
  EXPECT_EQ(share(std::nullopt), share(sim::Placement::scattered));
  EXPECT_LT(share(std::nullopt), share(sim::Placement::packed));
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
