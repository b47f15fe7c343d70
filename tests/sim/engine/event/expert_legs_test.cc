// A block's operations as legs of its tokens' way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/engine/event/block_times.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Operation kernels(double milliseconds) {
  return {.kind = OperationKind::pause, .time = Seconds{1e-3 * milliseconds}};
}

/// A product of several experts.
Operation experts() {
  return {.kind = OperationKind::gemm, .gemm = {.m = 128, .n = 1024, .k = 1024, .batch = 4}};
}

Operation tokens(Stream stream, OperationKind kind = OperationKind::all_to_all) {
  return {
      .kind = kind, .stream = stream, .part = StepPart::expert_communication, .bytes = Bytes{1e8}};
}

/// 16 ranks share the experts, eight of them on a node, and two share each of them.
struct ExpertBlock {
  Plan plan;
  Cluster cluster = round_cluster(64);
  Stack stack = round_stack();
  DeviceMesh mesh;
  std::vector<Operation> operations;

  explicit ExpertBlock(std::vector<Operation> all) : operations(std::move(all)) {
    stack.dispatch_overlap = 0.75;
    mesh.expert = {16, 8};
    mesh.expert_node = {8, 8};
    mesh.expert_across = {2, 1};
    mesh.expert_tensor = {2, 2};
  }

  BlockTimes times() const {
    const Block block{.end = static_cast<std::uint32_t>(operations.size())};
    return block_times("block", block, operations, {plan, cluster, stack, mesh});
  }
};

/// "dispatch between nodes + dispatch on the node": what each leg moves.
std::vector<std::string> names(const std::vector<ExpertLeg>& legs) {
  std::vector<std::string> all;
  for (const ExpertLeg& leg : legs) {
    std::string& text = all.emplace_back();
    for (const RoleTransfer& one : leg.transfers) {
      text += (text.empty() ? "" : " + ") + std::string(one.name);
    }
  }
  return all;
}

TEST(ExpertLegs, LieAroundTheExpertsKernels) {
  const BlockTimes block = ExpertBlock({kernels(5), experts(), experts(), kernels(4),
                                        tokens(Stream::expert), tokens(Stream::expert)})
                               .times();
  EXPECT_THAT(names(block.experts.legs), ElementsAre("dispatch", "combine"));
  EXPECT_EQ(block.experts.legs[0].before, SimTime{});
  EXPECT_EQ(block.experts.legs[1].before, block.kernels - to_sim_time(Seconds{9e-3}));
  std::vector<int> legs;
  for (const KernelTime& kernel : block.kernel_list) legs.push_back(kernel.leg);
  EXPECT_THAT(legs, ElementsAre(0, 1, 1, 0));
  // The same as its cost.
  const Group group{16, 8};
  EXPECT_EQ(block.experts.legs[0].transfers[0].transfer,
            transfer(Collective::all_to_all, Bytes{1e8}, 1.0, group, round_network()));
}

TEST(ExpertLegs, OfHierarchicalExchangesFollowOnEachOtherAndDeepEpPipelinesThem) {
  ExpertBlock block({kernels(5), experts(), tokens(Stream::expert_across),
                     tokens(Stream::expert_node), tokens(Stream::expert_across),
                     tokens(Stream::expert_node)});
  block.plan.expert_dispatch = ExpertDispatch::hierarchical;
  EXPECT_THAT(names(block.times().experts.legs),
              ElementsAre("dispatch between nodes", "dispatch on the node", "combine on the node",
                          "combine between nodes"));
  EXPECT_GT(block.times().experts.legs[2].before, SimTime{});
  block.plan.expert_dispatch = ExpertDispatch::deepep;
  EXPECT_THAT(names(block.times().experts.legs),
              ElementsAre("dispatch between nodes + dispatch on the node",
                          "combine on the node + combine between nodes"));
}

TEST(ExpertLegs, OfAPairOfPassesAreTwiceAsMany) {
  const std::vector<Operation> pass{tokens(Stream::expert_across), tokens(Stream::expert_node),
                                    tokens(Stream::expert_across), tokens(Stream::expert_node)};
  ExpertBlock block({kernels(5), experts()});
  for (int i = 0; i < 2; ++i) {
    block.operations.insert(block.operations.end(), pass.begin(), pass.end());
  }
  block.plan.expert_dispatch = ExpertDispatch::deepep;
  EXPECT_THAT(names(block.times().experts.legs),
              ElementsAre("dispatch between nodes + dispatch on the node",
                          "dispatch between nodes + dispatch on the node",
                          "combine on the node + combine between nodes",
                          "combine on the node + combine between nodes"));
}

TEST(ExpertLegs, RanksThatShareAnExpertGatherItsTokensAfterTheyCame) {
  Operation both_ways = tokens(Stream::expert_tensor, OperationKind::gather);
  both_ways.count = 2.0;
  ExpertBlock block({experts(), tokens(Stream::expert), tokens(Stream::expert), both_ways});
  for (const ExpertDispatch dispatch : {ExpertDispatch::all_to_all, ExpertDispatch::deepep}) {
    block.plan.expert_dispatch = dispatch;
    const BlockTimes times = block.times();
    EXPECT_THAT(names(times.experts.legs), ElementsAre("dispatch", "tokens of a shared expert",
                                                       "sums of a shared expert", "combine"));
    EXPECT_EQ(times.experts.legs[2].before, times.kernels);
    EXPECT_EQ(times.kernel_list[0].leg, 2);
  }
}

TEST(ExpertLegs, GathersAreAsMuchEachWay) {
  Operation both_ways = tokens(Stream::expert, OperationKind::gather);
  both_ways.count = 2.0;
  const ExpertTimes times = ExpertBlock({experts(), both_ways}).times().experts;
  EXPECT_THAT(names(times.legs), ElementsAre("dispatch", "combine"));
  const Transfer both = transfer(Collective::all_gather, Bytes{1e8}, 2.0, {16, 8}, round_network());
  EXPECT_EQ(times.legs[0].transfers[0].transfer, part_of(both, 0.5));
  EXPECT_EQ(
      times.legs[0].transfers[0].transfer.alone() + times.legs[1].transfers[0].transfer.alone(),
      both.alone());
}

TEST(ExpertLegs, AShareRunsBesideAllKernelsWithOverlap) {
  ExpertBlock block({kernels(5), experts(), tokens(Stream::expert), tokens(Stream::expert)});
  const ExpertTimes exposed = block.times().experts;
  block.plan.expert_overlap = true;
  const BlockTimes times = block.times();
  ASSERT_EQ(times.experts.beside.size(), 2U);
  ASSERT_EQ(times.experts.legs.size(), 2U);
  EXPECT_EQ(times.experts.kernels(), SimTime{});
  for (const KernelTime& kernel : times.kernel_list) EXPECT_EQ(kernel.leg, 0);
  for (std::size_t i = 0; i < 2; ++i) {
    const Transfer& whole = exposed.legs[i].transfers[0].transfer;
    const Transfer& beside = times.experts.beside[i].transfers[0].transfer;
    const Transfer& rest = times.experts.legs[i].transfers[0].transfer;
    EXPECT_EQ(beside.alone() + rest.alone(), whole.alone());
    EXPECT_EQ(beside.alone(), scaled(whole.alone(), 0.75));
  }
  block.stack.dispatch_overlap = 1.0;
  EXPECT_THAT(block.times().experts.legs, IsEmpty());
}

TEST(ExpertLegs, NothingHidesWhatRanksSendThatShareAnExpert) {
  Operation both_ways = tokens(Stream::expert_tensor, OperationKind::gather);
  ExpertBlock block({experts(), tokens(Stream::expert), tokens(Stream::expert), both_ways});
  block.plan.expert_overlap = true;
  block.stack.dispatch_overlap = 1.0;
  EXPECT_THAT(names(block.times().experts.beside), ElementsAre("dispatch", "combine"));
  EXPECT_THAT(names(block.times().experts.legs),
              ElementsAre("tokens of a shared expert", "sums of a shared expert"));
}

TEST(ExpertLegs, AGroupOfOneRankHasNone) {
  ExpertBlock block({kernels(5), experts(), tokens(Stream::expert), tokens(Stream::expert)});
  block.mesh = {};
  EXPECT_THAT(block.times().experts.legs, IsEmpty());
  EXPECT_EQ(block.times().experts.kernels(), SimTime{});
  for (const KernelTime& kernel : block.times().kernel_list) EXPECT_EQ(kernel.leg, 0);
}

TEST(ExpertLegs, AShareOfABlockHasAsMuchOfEveryLeg) {
  const BlockTimes whole =
      ExpertBlock({kernels(5), experts(), tokens(Stream::expert), tokens(Stream::expert)}).times();
  const BlockTimes half = part_of(whole, 4, 0.5);
  ASSERT_EQ(half.experts.legs.size(), 2U);
  EXPECT_EQ(half.experts.legs[1].before, scaled(whole.experts.legs[1].before, 0.5));
  EXPECT_EQ(half.experts.legs[1].transfers[0].transfer.alone(),
            scaled(whole.experts.legs[1].transfers[0].transfer.alone(), 0.5));
  EXPECT_EQ(half.kernel_list[1].leg, 1);
}

}  // namespace
}  // namespace cubicbench::sim
