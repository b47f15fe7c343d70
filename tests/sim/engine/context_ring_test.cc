#include <gtest/gtest.h>

#include "sim/engine/analytical.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

struct ContextParts {
  double attention = 0.0;
  double communication = 0.0;
};

/// Llama 3 8B on one node of eight, `ranks` of them a context group.
ContextParts parts(std::int64_t ranks, const Stack& stack, BytesPerSecond link) {
  Cluster cluster = round_cluster(8);
  cluster.network.intra_bandwidth = link;
  cluster.network.intra_delay = 0.0;
  cluster.device.memory = Bytes{1e15};
  Plan plan;
  plan.context_parallel = ranks;
  plan.global_batch = 8 / ranks;
  Workspace workspace;
  const StepReport report = evaluate(llama_8b(), plan, cluster, stack, workspace);
  EXPECT_EQ(report.status, StepStatus::ok);
  const auto part = [&](StepPart name) {
    return report.parts[static_cast<std::size_t>(name)].value;
  };
  return {part(StepPart::attention), part(StepPart::context_communication)};
}

TEST(ContextRing, ExchangesHideBesideAllBlocksButTheLast) {
  const Stack gathers = round_stack();
  Stack ring = round_stack();
  ring.context = ContextExchange::ring;
  // Fast links: a ring hides what a gather before attention exposes.
  EXPECT_GT(parts(4, gathers, 450_GBps).communication, 0.0);
  EXPECT_EQ(parts(4, ring, 450_GBps).communication, 0.0);
  // Slow links: three of four blocks of attention hide as much of the exchanges as they last.
  const ContextParts exposed = parts(4, gathers, 1_GBps);
  const ContextParts hidden = parts(4, ring, 1_GBps);
  EXPECT_NEAR(hidden.attention, exposed.attention, 1e-12);
  EXPECT_NEAR(hidden.communication, exposed.communication - 0.75 * exposed.attention, 1e-9);
}

TEST(ContextRing, BlocksOfLaterExchangesRunSlower) {
  Stack plain = round_stack();
  plain.context = ContextExchange::ring;
  Stack slow = plain;
  slow.ring_block_cost = 0.5;
  struct Case {
    std::int64_t ranks;
    double ratio;  // 1 + 0.5 (c - 2) / c
  };
  for (const Case& c : {Case{1, 1.0}, Case{2, 1.0}, Case{4, 1.25}, Case{8, 1.375}}) {
    const double ratio =
        parts(c.ranks, slow, 450_GBps).attention / parts(c.ranks, plain, 450_GBps).attention;
    EXPECT_NEAR(ratio, c.ratio, 1e-12) << c.ranks;
  }
  slow.context = ContextExchange::all_gather;
  EXPECT_EQ(parts(8, slow, 450_GBps).attention, parts(8, plain, 450_GBps).attention);
}

}  // namespace
}  // namespace cubicbench::sim
