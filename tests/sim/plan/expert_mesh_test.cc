#include <gtest/gtest.h>

#include "sim/plan/device_mesh.h"
#include "sim/plan/validity.h"
#include "tests/sim/expert_models.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

struct Members {
  std::int64_t ranks = 1;
  std::int64_t on_node = 1;
  bool operator==(const Members&) const = default;
};

Members members(const Group& group) { return {group.ranks, group.ranks_per_node}; }

Plan experts_plan(std::int64_t t, std::int64_t p, std::int64_t ep, std::int64_t etp) {
  Plan plan{};
  plan.tensor_parallel = t;
  plan.sequence_parallel = t > 1;
  plan.pipeline_parallel = p;
  plan.expert_parallel = ep;
  plan.expert_tensor_parallel = etp;
  plan.global_batch = 1024;
  return plan;
}

DeviceMesh mesh_of(const Plan& plan, int gpus) {
  return expert_device_mesh(plan, round_cluster(gpus));
}

// Groups on nodes of eight GPUs; t c D ranks of a stage are laid out as sharing each expert,
// sharing the experts, and holding the same.
TEST(ExpertMesh, FoldsTheRanksOfAStage) {
  struct Case {
    const char* name;
    Plan plan;
    int gpus;
    Members expert, across, sharing, same;
  };
  for (const Case& c :
       {Case{"a node", experts_plan(1, 1, 8, 1), 64, {8, 8}, {1, 1}, {1, 1}, {8, 1}},
        Case{"half a node", experts_plan(1, 1, 4, 1), 64, {4, 4}, {1, 1}, {1, 1}, {16, 2}},
        Case{"over nodes", experts_plan(1, 1, 32, 1), 64, {32, 8}, {4, 1}, {1, 1}, {2, 1}},
        Case{"all ranks", experts_plan(1, 1, 64, 1), 64, {64, 8}, {8, 1}, {1, 1}, {1, 1}},
        Case{"over tensor ranks", experts_plan(4, 1, 8, 1), 64, {8, 8}, {1, 1}, {1, 1}, {8, 1}},
        Case{"shared experts", experts_plan(4, 1, 8, 4), 64, {8, 2}, {4, 1}, {4, 4}, {2, 1}},
        Case{"DeepSeek-V3", experts_plan(1, 16, 64, 1), 2048, {64, 8}, {8, 1}, {1, 1}, {2, 1}},
        Case{"a node a stage", experts_plan(8, 4, 16, 1), 256, {16, 8}, {2, 1}, {1, 1}, {4, 1}}}) {
    SCOPED_TRACE(c.name);
    const DeviceMesh mesh = mesh_of(c.plan, c.gpus);
    EXPECT_EQ(members(mesh.expert), c.expert);
    EXPECT_EQ(members(mesh.expert_across), c.across);
    EXPECT_EQ(members(mesh.expert_tensor), c.sharing);
    EXPECT_EQ(members(mesh.expert_weights.replica), c.same);
    EXPECT_EQ(mesh.expert_node.ranks * mesh.expert_across.ranks, mesh.expert.ranks);
  }
}

TEST(ExpertMesh, CountsCommunicators) {
  const Plan plan = experts_plan(1, 1, 8, 1);
  const Cluster cluster = round_cluster(64);
  const double dense = communicators(device_mesh(plan, cluster, true), plan);
  EXPECT_EQ(communicators(mesh_of(plan, 64), plan), dense + 2.0);  // sharing, and holding the same
}

TEST(ExpertValidity, NamesTheRule) {
  struct Case {
    const char* name;
    std::int64_t t, ep, etp;
    Rule rule;
    const char* setting;
  };
  const Cluster cluster = round_cluster(48);
  for (const Case& c :
       {Case{"fits", 1, 8, 1, Rule::none, ""},
        Case{"8 experts on 3 ranks", 1, 3, 1, Rule::experts_divide, "expert_parallel"},
        Case{"48 ranks are no multiple of 8 x 4", 1, 8, 4, Rule::expert_mesh_divides,
             "expert_parallel"},
        Case{"14,336 columns on 3 ranks", 1, 1, 3, Rule::expert_ffn_divides,
             "expert_tensor_parallel"}}) {
    SCOPED_TRACE(c.name);
    Plan plan = experts_plan(c.t, 1, c.ep, c.etp);
    plan.global_batch = 48;
    const Violation violation = check(plan, mixtral_8x7b(), cluster);
    EXPECT_EQ(violation.rule, c.rule);
    EXPECT_STREQ(violation.setting, c.setting);
  }
  Plan plan = experts_plan(1, 1, 1, 2);
  plan.global_batch = 48;
  EXPECT_EQ(check(plan, llama_8b(), cluster).rule, Rule::expert_parallel_dense);
}

}  // namespace
}  // namespace cubicbench::sim
