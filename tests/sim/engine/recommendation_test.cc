#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "sim/base/philox.h"
#include "sim/engine/analytical.h"
#include "tests/counting_new.h"
#include "tests/sim/fixtures.h"
#include "tests/sim/random_ads.h"

namespace cubicbench::sim {
namespace {

constexpr int plan_count = 400;

Cluster ads_cluster() {
  Cluster cluster = round_cluster(64);
  cluster.device.host_bandwidth = 50_GBps;
  return cluster;
}

/// Device memory without limit, so that every plan has a time.
Cluster roomy_cluster() {
  Cluster cluster = ads_cluster();
  cluster.device.memory = Bytes{1e18};
  return cluster;
}

/// Legal plans that vary every setting that the model reads.
std::vector<Plan> assorted_ads_plans(int count) {
  std::vector<Plan> plans;
  for (std::uint64_t n = 0; static_cast<int>(plans.size()) < count; ++n) {
    std::uint32_t draw = 0;
    const auto pick = [&](std::uint64_t values) {
      return static_cast<std::int64_t>(uniform_below({n, Purpose::test, 7, draw++}, values));
    };
    Plan plan{};
    plan.batch_per_gpu = std::int64_t{256} << pick(5);
    plan.embedding_plan = static_cast<EmbeddingPlan>(pick(8));
    plan.embedding_groups =
        plan.embedding_plan == EmbeddingPlan::two_d ? std::int64_t{1} << pick(5) : 1;
    plan.embedding_kernel = static_cast<EmbeddingKernel>(pick(3));
    plan.embedding_dtype = pick(2) != 0 ? Dtype::fp16 : Dtype::fp32;
    plan.embedding_optimizer = pick(2) != 0 ? Optimizer::rowwise_adagrad : Optimizer::adam;
    plan.embedding_replicate_below_gib_thousandths = 10 * pick(3);
    plan.forward_comm_dtype = pick(2) != 0 ? Dtype::fp8 : Dtype::fp32;
    plan.backward_comm_dtype = pick(2) != 0 ? Dtype::bf16 : Dtype::fp32;
    plan.input_pipeline = static_cast<InputPipeline>(pick(3));
    plan.dense_sharding = static_cast<Sharding>(pick(7));
    plan.over_sharding = static_cast<Sharding>(pick(7));
    plan.shard_group = 8 * pick(3);
    plan.wrap = 1 + pick(3);
    plan.forward_prefetch = pick(2) != 0;
    plan.backward_prefetch = static_cast<BackwardPrefetch>(pick(3));
    plan.limit_all_gathers = pick(2) != 0;
    plan.reshard_after_forward = pick(2);
    plan.reduce_dtype = pick(2) != 0 ? Dtype::bf16 : Dtype::fp32;
    plan.recompute = std::array{Recompute::none, Recompute::selective, Recompute::full,
                                Recompute::every_k}[static_cast<std::size_t>(pick(4))];
    plan.recompute_every = 1 + pick(3);
    plan.compile = pick(2) != 0;
    if (!check(plan, small_ads(), ads_cluster())) {
      plans.push_back(plan);
    }
  }
  return plans;
}

StepReport run(const Plan& plan, const Cluster& cluster, const Recommendation& model = small_ads(),
               const Stack& stack = round_stack()) {
  Workspace workspace;
  return evaluate(model, plan, cluster, stack, workspace);
}

Seconds part(const StepReport& report, StepPart which) {
  return report.parts[static_cast<std::size_t>(which)];
}

Bytes part(const StepReport& report, MemoryPart which) {
  return report.memory.parts[static_cast<std::size_t>(which)];
}

TEST(Recommendation, PartsSumToTheStepAndToTheMemory) {
  for (const Plan& plan : assorted_ads_plans(plan_count)) {
    const StepReport report = run(plan, roomy_cluster());
    ASSERT_EQ(report.status, StepStatus::ok);
    Seconds time;
    for (const Seconds seconds : report.parts) {
      EXPECT_GE(seconds.value, 0.0);
      time += seconds;
    }
    Bytes memory;
    for (const Bytes bytes : report.memory.parts) {
      memory += bytes;
    }
    EXPECT_NEAR(time.value, report.step.value, 1e-9);
    EXPECT_EQ(memory, report.memory.allocated);
  }
}

TEST(Recommendation, BetterHardwareNeverSlows) {
  const std::function<void(Cluster&)> upgrades[] = {
      [](Cluster& c) { c.network.intra_bandwidth *= 1.5; },
      [](Cluster& c) { c.network.inter_bandwidth *= 1.5; },
      [](Cluster& c) { c.device.memory_bandwidth *= 1.5; },
      [](Cluster& c) { c.device.host_bandwidth *= 1.5; },
      [](Cluster& c) { c.network.inter_delay *= 0.5; },
      [](Cluster& c) {
        for (FlopsPerSecond& peak : c.device.matmul_peak) {
          peak *= 1.5;
        }
      }};
  // The greedy placement weighs memory against network, and may move tables when their ratio
  // changes; tables that are not placed leave the laws of the rest to be checked.
  for (Plan plan : assorted_ads_plans(plan_count)) {
    plan.embedding_plan = EmbeddingPlan::row_wise;
    const Seconds before = run(plan, roomy_cluster()).step;
    for (const auto& upgrade : upgrades) {
      Cluster better = roomy_cluster();
      upgrade(better);
      EXPECT_LE(run(plan, better).step.value, before.value * (1.0 + 1e-12));
    }
  }
}

TEST(Recommendation, HalfTheRatesAndTwiceTheLatenciesTakeTwiceAsLong) {
  Cluster slow = roomy_cluster();
  for (FlopsPerSecond& peak : slow.device.matmul_peak) {
    peak *= 0.5;
  }
  slow.device.memory_bandwidth *= 0.5;
  slow.device.host_bandwidth *= 0.5;
  slow.device.kernel_overhead *= 2.0;
  slow.network.intra_bandwidth *= 0.5;
  slow.network.inter_bandwidth *= 0.5;
  slow.network.intra_delay *= 2.0;
  slow.network.inter_delay *= 2.0;
  Stack stack = round_stack();
  stack.host_layer_forward *= 2.0;
  stack.latency_per_rank *= 2.0;
  for (const Plan& plan : assorted_ads_plans(plan_count)) {
    const double ratio = run(plan, slow, small_ads(), stack).step / run(plan, roomy_cluster()).step;
    // The start-up a peer of the all-to-all (64 x 0.72 us) is no rate of the cluster.
    EXPECT_GT(ratio, 1.95);
    EXPECT_LE(ratio, 2.0 + 1e-12);
  }
}

TEST(Recommendation, MoreShardingNeverHoldsMoreAtTheStart) {
  const Sharding ladder[] = {Sharding::no_shard, Sharding::zero1, Sharding::shard_grad_op,
                             Sharding::full_shard};
  Bytes previous{1e18};
  for (const Sharding sharding : ladder) {
    Plan plan{};
    plan.batch_per_gpu = 512;
    plan.dense_sharding = sharding;
    plan.over_sharding = sharding;
    const Bytes now = run(plan, roomy_cluster()).memory.demand_at_start;
    EXPECT_LE(now, previous);
    previous = now;
  }
}

TEST(Recommendation, TablesAndTheirOptimizerTakeTheirBytes) {
  // 64 ranks, 64 equal tables: one each. Row-wise Adagrad: 4 bytes a row.
  Recommendation model = small_ads();
  model.tables = {{.tables = 64, .rows = 1'000'003, .dim = 96, .pooling = 3.0}};
  Plan plan{};
  plan.batch_per_gpu = 64;
  plan.embedding_optimizer = Optimizer::rowwise_adagrad;
  const StepReport report = run(plan, roomy_cluster(), model);
  EXPECT_EQ(part(report, MemoryPart::embedding_tables).value, 1'000'003.0 * 96 * 4);
  EXPECT_EQ(part(report, MemoryPart::embedding_optimizer_state).value, 1'000'003.0 * 4);
}

TEST(Recommendation, QuantisedExchangeNeverTakesLonger) {
  for (Plan plan : assorted_ads_plans(plan_count)) {
    if (plan.embedding_plan != EmbeddingPlan::data_parallel) {
      plan.embedding_plan = EmbeddingPlan::row_wise;  // shards that are placed move with their cost
    }
    Plan quantised = plan;
    plan.forward_comm_dtype = plan.backward_comm_dtype = Dtype::fp32;
    quantised.forward_comm_dtype = quantised.backward_comm_dtype = Dtype::fp8;
    EXPECT_LE(part(run(quantised, roomy_cluster()), StepPart::embedding_communication).value,
              part(run(plan, roomy_cluster()), StepPart::embedding_communication).value + 1e-12);
  }
}

TEST(Recommendation, AnEarlierInputNeverWaitsLonger) {
  for (Plan plan : assorted_ads_plans(plan_count)) {
    Seconds previous{1e9};
    for (const InputPipeline pipeline :
         {InputPipeline::none, InputPipeline::prefetch, InputPipeline::pipelined}) {
      plan.input_pipeline = pipeline;
      const Seconds now = part(run(plan, roomy_cluster()), StepPart::input);
      EXPECT_LE(now, previous);
      previous = now;
    }
  }
}

TEST(Recommendation, RecomputationTradesTimeForMemory) {
  for (Plan plan : assorted_ads_plans(plan_count)) {
    plan.recompute = Recompute::none;
    const StepReport kept = run(plan, roomy_cluster());
    for (const Recompute mode : {Recompute::selective, Recompute::full}) {
      plan.recompute = mode;
      const StepReport recomputed = run(plan, roomy_cluster());
      EXPECT_LE(recomputed.memory.allocated, kept.memory.allocated);
      EXPECT_GE(part(recomputed, StepPart::recompute).value, 0.0);
      EXPECT_GT(recomputed.step.value + part(recomputed, StepPart::recompute).value,
                kept.step.value);
    }
  }
}

TEST(Recommendation, ALargerBatchNeverNeedsLessMemory) {
  for (Plan plan : assorted_ads_plans(plan_count)) {
    const Bytes before = run(plan, roomy_cluster()).memory.allocated;
    plan.batch_per_gpu *= 2;
    EXPECT_GE(run(plan, roomy_cluster()).memory.allocated, before);
  }
}

TEST(Recommendation, ATableThatFitsNowhereIsOutOfMemoryAtStartup) {
  Recommendation model = small_ads();
  model.tables.push_back({.tables = 1, .rows = 200'000'000, .dim = 128, .pooling = 1.0});  // 95 GiB
  Plan plan{};
  plan.batch_per_gpu = 256;
  plan.dense_sharding = plan.over_sharding = Sharding::full_shard;
  EXPECT_EQ(run(plan, ads_cluster(), model).status, StepStatus::oom_init);
  plan.embedding_plan = EmbeddingPlan::row_wise;
  EXPECT_EQ(run(plan, ads_cluster(), model).status, StepStatus::ok);
}

TEST(Recommendation, WhatCannotBeLaidOutIsInvalid) {
  struct Case {
    const char* setting;
    std::function<void(Plan&)> change;
    Rule rule;
  };
  const Case cases[] = {
      {"embedding_groups", [](Plan& p) { p.embedding_groups = 3; }, Rule::copies_divide},
      {"embedding_cache_ratio",
       [](Plan& p) {
         p.embedding_kernel = EmbeddingKernel::uvm_caching;
         p.embedding_cache_thousandths = 0;
       },
       Rule::cache_holds_rows},
      {"forward_comm_dtype", [](Plan& p) { p.forward_comm_dtype = Dtype::nvfp4; },
       Rule::wire_dtype},
      {"recompute", [](Plan& p) { p.recompute = Recompute::per_op; }, Rule::not_modelled},
      {"shard_group",
       [](Plan& p) {
         p.over_sharding = Sharding::hybrid_shard;
         p.shard_group = 7;
       },
       Rule::shard_group_divides},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.setting);
    Plan plan{};
    c.change(plan);
    const Violation violation = check(plan, small_ads(), ads_cluster());
    EXPECT_EQ(violation.rule, c.rule);
    EXPECT_STREQ(violation.setting, c.setting);
    EXPECT_EQ(run(plan, ads_cluster()).status, StepStatus::invalid);
  }
}

TEST(Recommendation, EvaluationAllocatesNothingAndForgetsNothing) {
  const std::vector<Plan> plans = assorted_ads_plans(100);
  Workspace workspace;
  for (const Plan& plan : plans) {
    evaluate(small_ads(), plan, roomy_cluster(), round_stack(), workspace);
  }
  const Recommendation model = small_ads();
  const Cluster cluster = roomy_cluster();
  const Stack stack = round_stack();
  const auto before = allocation_count();
  Seconds sum;
  for (const Plan& plan : plans) {
    sum += evaluate(model, plan, cluster, stack, workspace).step;
  }
  EXPECT_EQ(allocation_count(), before);
  Seconds fresh;
  for (const Plan& plan : plans) {
    fresh += run(plan, cluster).step;
  }
  EXPECT_EQ(sum, fresh);
}

}  // namespace
}  // namespace cubicbench::sim
