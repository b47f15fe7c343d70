// Kinds of context parallelism: rings, gathers, exchanged heads, both; balanced or in order.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/engine/analytical.h"
#include "sim/engine/event/event_engine.h"
#include "sim/plan/validity.h"
#include "sim/program/kept_activations.h"
#include "sim/program/lower_transformer.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

Cluster roomy_cluster(int gpus) {
  Cluster cluster = round_cluster(gpus);
  cluster.device.memory = Bytes{1e15};
  return cluster;
}

Plan plan_of(std::int64_t context, std::int64_t ulysses, int gpus = 8) {
  Plan plan{};
  plan.context_parallel = context;
  plan.ulysses_degree = ulysses;
  plan.global_batch = gpus / context;
  return plan;
}

StepReport step_of(const Plan& plan, const Stack& stack = round_stack(),
                   const Transformer& model = llama_8b()) {
  Workspace workspace;
  const StepReport report = evaluate(model, plan, roomy_cluster(8), stack, workspace);
  EXPECT_EQ(report.status, StepStatus::ok);
  return report;
}

double part(const StepReport& report, StepPart part) {
  return report.parts[static_cast<std::size_t>(part)].value;
}

std::vector<Operation> sent(const Plan& plan, int gpus, Stream stream) {
  StepProgram program;
  lower(llama_8b(), plan, roomy_cluster(gpus), round_stack(), program);
  std::vector<Operation> found;
  const Block& block = program.blocks.layers[0].forward;
  for (const Operation& op : operations_in(block, program.operations)) {
    if (op.stream == stream) found.push_back(op);
  }
  return found;
}

constexpr double tokens = 8192.0;

// 1,024 tokens a rank: 32 query heads and 8 of keys and values each way in, 32 back, of 128 in 16
// bits.
TEST(ContextKinds, HeadsAreExchangedForTokens) {
  const std::vector<Operation> heads = sent(plan_of(8, 8), 8, Stream::context_heads);
  ASSERT_EQ(heads.size(), 2U);
  EXPECT_EQ(heads[0].kind, OperationKind::all_to_all);
  EXPECT_EQ(heads[0].bytes.value, 2.0 * tokens / 8.0 * (32.0 + 2.0 * 8.0) * 128.0);
  EXPECT_EQ(heads[1].bytes.value, 2.0 * tokens / 8.0 * 32.0 * 128.0);
  EXPECT_TRUE(sent(plan_of(8, 8), 8, Stream::context).empty());
  // Each exchanged once more in the backward pass.
  const StepReport report = step_of(plan_of(8, 8));
  const Group group{.ranks = 8, .ranks_per_node = 8};
  const Network network = round_network();
  const Seconds once =
      all_to_all(heads[0].bytes, group, network) + all_to_all(heads[1].bytes, group, network);
  EXPECT_NEAR(part(report, StepPart::context_communication), 2.0 * 32.0 * once.value, 1e-9);
}

// Of 8 key heads on 16 ranks each has a copy of one.
TEST(ContextKinds, FewerKeyHeadsThanRanksAreCopied) {
  const std::vector<Operation> heads = sent(plan_of(16, 16, 16), 16, Stream::context_heads);
  EXPECT_EQ(heads.at(0).bytes.value, 2.0 * tokens / 16.0 * (32.0 + 2.0 * 16.0) * 128.0);
}

// Pairs exchange heads, four of them keys and values: of half the heads, all tokens.
TEST(ContextKinds, BothExchangesShareTheGroup) {
  Plan plan = plan_of(8, 2);
  EXPECT_EQ(sent(plan, 8, Stream::context_heads).at(0).bytes.value,
            2.0 * tokens / 8.0 * (32.0 + 2.0 * 8.0) * 128.0);
  EXPECT_EQ(sent(plan, 8, Stream::context).at(0).bytes.value, 2.0 * tokens * 2.0 * 4.0 * 128.0);
  StepProgram program;
  lower(llama_8b(), plan, roomy_cluster(8), round_stack(), program);
  EXPECT_EQ(program.mesh.context_heads.ranks, 2);
  EXPECT_EQ(program.mesh.context_heads.stride, 1);
  EXPECT_EQ(program.mesh.context.ranks, 4);
  EXPECT_EQ(program.mesh.context.stride, 2);
  plan = plan_of(16, 8, 16);
  lower(llama_8b(), plan, roomy_cluster(16), round_stack(), program);
  EXPECT_EQ(nodes_of(program.mesh.context_heads), 1);
  EXPECT_EQ(program.mesh.context.ranks, 2);
  EXPECT_EQ(nodes_of(program.mesh.context), 2);
}

TEST(ContextKinds, OfOneRankAreAlike) {
  const StepReport plain = step_of(plan_of(1, 1));
  for (const ContextPlan exchange : {ContextPlan::all_gather, ContextPlan::p2p}) {
    Plan plan = plan_of(1, 1);
    plan.context_exchange = exchange;
    plan.context_load_balance = false;
    EXPECT_EQ(step_of(plan).step, plain.step);
    EXPECT_EQ(step_of(plan).memory.demand, plain.memory.demand);
  }
}

TEST(ContextKinds, APlanSaysWhatAStackSaysByDefault) {
  Stack rings = round_stack();
  rings.context = ContextExchange::ring;
  rings.ring_block_cost = 0.5;
  Stack gathers = rings;
  gathers.context = ContextExchange::all_gather;
  Plan ring = plan_of(4, 1);
  ring.context_exchange = ContextPlan::p2p;
  Plan gather = plan_of(4, 1);
  gather.context_exchange = ContextPlan::all_gather;
  EXPECT_EQ(step_of(ring, gathers).step, step_of(plan_of(4, 1), rings).step);
  EXPECT_EQ(step_of(gather, rings).step, step_of(plan_of(4, 1), gathers).step);
  EXPECT_NE(step_of(ring, rings).step, step_of(gather, rings).step);
}

TEST(ContextKinds, WhoExchangesAllHeadsHasNeitherRingNorLastPiece) {
  Plan plan = plan_of(8, 8);
  const StepReport plain = step_of(plan);
  plan.context_exchange = ContextPlan::p2p;
  plan.context_load_balance = false;
  EXPECT_EQ(step_of(plan).step, plain.step);
  EXPECT_EQ(part(plain, StepPart::attention), part(step_of(plan_of(8, 1)), StepPart::attention));
}

// A quarter of the tokens attends to 7/16 of the pairs, 7/4 of its share.
TEST(ContextKinds, TheLastOfTokensInOrderAttendToNearlyTwiceTheMean) {
  EXPECT_DOUBLE_EQ(last_piece_share(llama_8b(), Mixer::attention, 4.0), 1.75);
  EXPECT_EQ(last_piece_share(llama_8b(), Mixer::attention, 1.0), 1.0);
  Plan plan = plan_of(4, 1);
  const double balanced = part(step_of(plan), StepPart::attention);
  plan.context_load_balance = false;
  EXPECT_NEAR(part(step_of(plan), StepPart::attention) / balanced, 1.75, 1e-12);
  Transformer packed = llama_8b();
  packed.packed_sample = 512;
  const double of_samples = part(step_of(plan, round_stack(), packed), StepPart::attention);
  plan.context_load_balance = true;
  EXPECT_EQ(part(step_of(plan, round_stack(), packed), StepPart::attention), of_samples);
}

// 1,024 x 8,192 - 1,024^2 / 2 pairs, of which the last 2,048 tokens have 1,024 each.
TEST(ContextKinds, InAWindowTheLastTokensAttendToLittleMoreThanOthers) {
  Transformer model = llama_8b();
  model.window = {.tokens = 1024};
  EXPECT_DOUBLE_EQ(last_piece_share(model, Mixer::window, 4.0),
                   4.0 * 1024.0 * 2048.0 / (1024.0 * 8192.0 - 524288.0));
  model.window.tokens = 8192;
  EXPECT_DOUBLE_EQ(last_piece_share(model, Mixer::window, 4.0), 1.75);
}

TEST(ContextKinds, AttentionKeepsItsOutputOfOtherHeads) {
  const auto kept = [](const Plan& plan, const Stack& stack) {
    return kept_by_layer(llama_8b(), {}, plan, Recompute::none, stack, 1.0);
  };
  Stack stack = round_stack();
  EXPECT_EQ(kept(plan_of(4, 4), stack) - kept(plan_of(4, 1), stack), 2.0 * 4096.0);
  stack.kept_per_hidden_context = 2.0;
  EXPECT_EQ(kept(plan_of(4, 4), stack), kept(plan_of(4, 1), stack));
  stack.kept_per_kv = 4.0;  // copies of key heads are kept, too
  EXPECT_EQ(kept(plan_of(16, 16), stack) - kept(plan_of(16, 1), stack), 4.0 * 8.0 * 128.0);
}

TEST(ContextKinds, DegreesThatDoNotFitAreRefused) {
  const auto rule = [](std::int64_t context, std::int64_t ulysses, const Transformer& model) {
    return check(plan_of(context, ulysses, 192), model, round_cluster(192)).rule;
  };
  Transformer model = llama_8b();
  model.sequence = 3 * 8192;
  EXPECT_EQ(rule(4, 3, model), Rule::ulysses_divides);
  EXPECT_EQ(rule(64, 64, model), Rule::heads_exchange);
  EXPECT_EQ(rule(16, 16, model), Rule::none);
  model.attention_heads = 24;
  model.kv_heads = 6;
  EXPECT_EQ(rule(4, 4, model), Rule::kv_heads_exchange);
  EXPECT_EQ(rule(3, 3, model), Rule::none);
  EXPECT_EQ(rule(12, 12, model), Rule::none);
}

TEST(ContextKinds, BothEnginesAgree) {
  Workspace workspace;
  const Cluster cluster = roomy_cluster(64);
  for (const std::int64_t ulysses : {1, 2, 8}) {
    for (const ContextPlan exchange : {ContextPlan::all_gather, ContextPlan::p2p}) {
      for (const std::int64_t tensor : {1, 4}) {
        for (const Sharding sharding : {Sharding::no_shard, Sharding::full_shard}) {
          Plan plan = plan_of(8, ulysses);
          plan.tensor_parallel = tensor;
          plan.sequence_parallel = tensor > 1;
          plan.global_batch = 16;
          plan.context_exchange = exchange;
          plan.context_load_balance = tensor > 1;
          plan.sharding = sharding;
          const StepReport closed = evaluate(llama_8b(), plan, cluster, round_stack(), workspace);
          ASSERT_EQ(closed.status, StepStatus::ok);
          EventOptions options;
          options.contention = false;
          const EventReport events =
              play(llama_8b(), plan, cluster, round_stack(), options, workspace);
          EXPECT_NEAR(events.step.step / closed.step, 1.0, 0.01)
              << ulysses << ' ' << static_cast<int>(exchange) << ' ' << tensor << ' '
              << static_cast<int>(sharding);
          EXPECT_EQ(events.step.memory.allocated, closed.memory.allocated);
          options.fold = false;
          EXPECT_EQ(play(llama_8b(), plan, cluster, round_stack(), options, workspace).step.step,
                    events.step.step);
        }
      }
    }
  }
}

}  // namespace
}  // namespace cubicbench::sim
