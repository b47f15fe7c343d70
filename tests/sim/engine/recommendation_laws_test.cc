// What must hold of steps of any recommendation model.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <numeric>

#include "sim/engine/analytical.h"
#include "tests/sim/fixtures.h"
#include "tests/sim/random_ads.h"

namespace cubicbench::sim {
namespace {

constexpr std::uint64_t jobs = 500;

template <typename Law>
void for_random_ads(Law law) {
  for (std::uint64_t seed = 0; seed < jobs; ++seed) {
    AdsJob job = random_ads(seed);
    SCOPED_TRACE(description(seed, job));
    law(job);
  }
}

StepReport run(const AdsJob& job) {
  Workspace workspace;
  return evaluate(job.model, job.plan, job.cluster, job.stack, workspace);
}

double step_of(const AdsJob& job) {
  const StepReport report = run(job);
  EXPECT_EQ(report.status, StepStatus::ok);
  return report.step.value;
}

double part(const StepReport& report, StepPart which) {
  return report.parts[static_cast<std::size_t>(which)].value;
}

double part(const StepReport& report, MemoryPart which) {
  return report.memory.parts[static_cast<std::size_t>(which)].value;
}

constexpr double rounding = 1.0 + 1e-9;

TEST(RecommendationLaws, PartsSumToTheStepAndToTheMemory) {
  for_random_ads([](const AdsJob& job) {
    const StepReport report = run(job);
    ASSERT_EQ(report.status, StepStatus::ok);
    for (const Seconds time : report.parts) EXPECT_GE(time.value, 0.0);
    const Seconds time = std::accumulate(report.parts.begin(), report.parts.end(), Seconds{});
    EXPECT_NEAR(time / report.step, 1.0, 1e-9);
    const auto& parts = report.memory.parts;
    EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), Bytes{}), report.memory.allocated);
  });
}

/// Calls `change(job, i)` for i = 0 to n - 1: no step is longer than the one before.
template <typename Change>
void expect_never_slower(int n, Change change) {
  int faster = 0;
  for_random_ads([&](AdsJob& job) {
    double before = 1e18;
    for (int i = 0; i < n; ++i) {
      change(job, i);
      const double now = step_of(job);
      EXPECT_LE(now, before * rounding) << i;
      if (i > 0 && now < before * 0.999) ++faster;
      before = now;
    }
  });
  EXPECT_GT(faster, 10);
}

TEST(RecommendationLaws, APipelinedInputNeverSlows) {
  expect_never_slower(2, [](AdsJob& job, int i) {
    job.plan.input_pipeline = i == 0 ? InputPipeline::none : InputPipeline::pipelined;
  });
  expect_never_slower(2, [](AdsJob& job, int i) {
    job.plan.input_pipeline = i == 0 ? InputPipeline::none : InputPipeline::prefetch;
  });
}

TEST(RecommendationLaws, RowsNearerToTheDeviceNeverSlow) {
  constexpr std::array kernels{EmbeddingKernel::uvm, EmbeddingKernel::uvm_caching,
                               EmbeddingKernel::fused};
  expect_never_slower(3, [&](AdsJob& job, int i) {
    job.plan.embedding_plan = EmbeddingPlan::row_wise;  // others are placed anew
    job.plan.embedding_kernel = kernels[static_cast<std::size_t>(i)];
  });
}

TEST(RecommendationLaws, ALargerCacheNeverSlowsAndNeverTakesLessMemory) {
  for_random_ads([](AdsJob& job) {
    job.plan.embedding_plan = EmbeddingPlan::row_wise;  // others are placed anew
    job.plan.embedding_kernel = EmbeddingKernel::uvm_caching;
    double step = 1e18;
    Bytes start;
    for (const std::int64_t thousandths : {1, 10, 100, 300, 1000}) {
      job.plan.embedding_cache_thousandths = thousandths;
      const StepReport report = run(job);
      EXPECT_LE(report.step.value, step * rounding);
      EXPECT_GE(report.memory.demand_at_start, start);
      step = report.step.value;
      start = report.memory.demand_at_start;
    }
    // Everything cached is as good as everything on the device.
    job.plan.embedding_kernel = EmbeddingKernel::fused;
    EXPECT_NEAR(run(job).step.value / step, 1.0, 1e-9);
  });
}

TEST(RecommendationLaws, SeldomerAveragesNeverSlow) {
  expect_never_slower(3, [](AdsJob& job, int i) {
    job.plan.embedding_groups = job.cluster.gpus % 2 == 0 ? 2 : 1;
    constexpr std::array<std::int64_t, 3> intervals{1, 10, 1000};
    job.plan.embedding_sync_interval = intervals[static_cast<std::size_t>(i)];
  });
}

TEST(RecommendationLaws, OneCopyAveragesNothing) {
  for_random_ads([](AdsJob& job) {
    job.plan.embedding_groups = 1;
    const double step = step_of(job);
    job.plan.embedding_sync_interval += 7;
    EXPECT_EQ(step_of(job), step);
  });
}

TEST(RecommendationLaws, NarrowerRowsOnTheWireNeverTravelLonger) {
  for_random_ads([](AdsJob& job) {
    job.plan.embedding_plan = EmbeddingPlan::row_wise;  // others are placed anew
    double before = 1e18;
    for (const Dtype dtype : {Dtype::fp32, Dtype::bf16, Dtype::fp8}) {
      job.plan.forward_comm_dtype = job.plan.backward_comm_dtype = dtype;
      const double now = part(run(job), StepPart::embedding_communication);
      EXPECT_LE(now, before * rounding);
      before = now;
    }
  });
}

TEST(RecommendationLaws, MoreGpusNeverHoldMoreRowsEach) {
  for_random_ads([](AdsJob& job) {
    job.plan.shard_group = 0;
    job.plan.embedding_groups = 1;
    job.plan.embedding_kernel = EmbeddingKernel::fused;
    for (const EmbeddingPlan plan : {EmbeddingPlan::row_wise, EmbeddingPlan::data_parallel}) {
      job.plan.embedding_plan = plan;
      double before = 1e18;
      for (const int gpus : {8, 16, 32, 64}) {
        job.cluster.gpus = gpus;
        const double now = part(run(job), MemoryPart::embedding_tables);
        EXPECT_LE(now, before);
        before = now;
      }
    }
  });
}

TEST(RecommendationLaws, CopiesHoldAsMuchMoreAndEachRankItsShare) {
  // 64 tables of 1,000,000 x 64 fp32: one a rank in one copy, eight in one of eight.
  AdsJob job{
      .model = small_ads(), .plan = {}, .cluster = round_cluster(64), .stack = round_stack()};
  job.model.tables = {{.tables = 64, .rows = 1'000'000, .dim = 64, .pooling = 5.0}};
  job.plan.embedding_plan = EmbeddingPlan::table_wise;
  for (const std::int64_t copies : {1, 2, 8, 64}) {
    job.plan.embedding_groups = copies;
    EXPECT_EQ(part(run(job), MemoryPart::embedding_tables),
              static_cast<double>(copies) * 1'000'000 * 64 * 4);
  }
}

TEST(RecommendationLaws, HybridShardsHoldMoreThanWholeOnesAndLessThanReplicas) {
  for_random_ads([](AdsJob& job) {
    job.plan.shard_group = 0;
    Bytes previous{1e18};
    for (const Sharding sharding :
         {Sharding::no_shard, Sharding::hybrid_shard, Sharding::full_shard}) {
      job.plan.dense_sharding = job.plan.sequence_sharding = job.plan.interaction_sharding =
          job.plan.over_sharding = sharding;
      const Bytes now = run(job).memory.demand_at_start;
      EXPECT_LE(now, previous);
      previous = now;
    }
  });
}

/// A model with all parts, on eight nodes.
AdsJob everything() {
  AdsJob job{
      .model = small_ads(), .plan = {}, .cluster = round_cluster(64), .stack = round_stack()};
  job.cluster.device.host_bandwidth = 50_GBps;
  job.cluster.device.memory = 4096_GiB;
  job.model.tables.push_back({.tables = 1, .rows = 1'000'000, .dim = 512, .pooling = 60.0});
  job.model.tables.push_back(
      {.tables = 2, .rows = 100'000, .dim = 64, .pooling = 40.0, .skew = 1.0, .pooled = false});
  job.model.sequence = SequenceArch{.layers = 4, .width = 512, .heads = 8, .ffn_hidden = 2048};
  job.model.interaction = CrossInteraction{.layers = 3, .rank = 512};
  job.plan.batch_per_gpu = 1024;
  job.plan.embedding_plan = EmbeddingPlan::table_wise;
  job.plan.dense_sharding = job.plan.sequence_sharding = job.plan.interaction_sharding =
      job.plan.over_sharding = Sharding::full_shard;
  job.model.sequence->lengths.max = 160;
  job.stack.lookup_overlap = 0.5;
  return job;
}

TEST(RecommendationLaws, EverySettingHasAnEffect) {
  const StepReport plain = run(everything());
  ASSERT_EQ(plain.status, StepStatus::ok);
  struct Setting {
    const char* name;
    std::function<void(Plan&)> change;
  };
  const Setting settings[] = {
      {"batch_per_gpu", [](Plan& p) { p.batch_per_gpu = 2048; }},
      {"planner", [](Plan& p) { p.embedding_plan = EmbeddingPlan::planner; }},
      {"row_wise", [](Plan& p) { p.embedding_plan = EmbeddingPlan::row_wise; }},
      {"column_wise", [](Plan& p) { p.embedding_plan = EmbeddingPlan::column_wise; }},
      {"table_row_wise", [](Plan& p) { p.embedding_plan = EmbeddingPlan::table_row_wise; }},
      {"grid", [](Plan& p) { p.embedding_plan = EmbeddingPlan::grid; }},
      {"data_parallel", [](Plan& p) { p.embedding_plan = EmbeddingPlan::data_parallel; }},
      {"embedding_groups", [](Plan& p) { p.embedding_groups = 4; }},
      {"uvm", [](Plan& p) { p.embedding_kernel = EmbeddingKernel::uvm; }},
      {"uvm_caching", [](Plan& p) { p.embedding_kernel = EmbeddingKernel::uvm_caching; }},
      {"embedding_dtype", [](Plan& p) { p.embedding_dtype = Dtype::fp16; }},
      {"embedding_optimizer", [](Plan& p) { p.embedding_optimizer = Optimizer::adam; }},
      {"replicate_below", [](Plan& p) { p.embedding_replicate_below_gib_thousandths = 30; }},
      {"forward_comm_dtype", [](Plan& p) { p.forward_comm_dtype = Dtype::fp16; }},
      {"backward_comm_dtype", [](Plan& p) { p.backward_comm_dtype = Dtype::fp8; }},
      {"prefetch", [](Plan& p) { p.input_pipeline = InputPipeline::prefetch; }},
      {"pipelined", [](Plan& p) { p.input_pipeline = InputPipeline::pipelined; }},
      {"dense_sharding", [](Plan& p) { p.dense_sharding = Sharding::no_shard; }},
      {"sequence_sharding", [](Plan& p) { p.sequence_sharding = Sharding::no_shard; }},
      {"interaction_sharding", [](Plan& p) { p.interaction_sharding = Sharding::no_shard; }},
      {"over_sharding", [](Plan& p) { p.over_sharding = Sharding::hybrid_shard; }},
      {"wrap", [](Plan& p) { p.wrap = 2; }},
      {"backward_prefetch", [](Plan& p) { p.backward_prefetch = BackwardPrefetch::none; }},
      {"reshard_after_forward", [](Plan& p) { p.reshard_after_forward = 0; }},
      {"limit_all_gathers", [](Plan& p) { p.limit_all_gathers = false; }},
      {"param_dtype", [](Plan& p) { p.param_dtype = Dtype::fp32; }},
      {"reduce_dtype", [](Plan& p) { p.reduce_dtype = Dtype::bf16; }},
      {"optimizer", [](Plan& p) { p.optimizer = Optimizer::sgd; }},
      {"selective", [](Plan& p) { p.recompute = Recompute::selective; }},
      {"full", [](Plan& p) { p.recompute = Recompute::full; }},
      {"compile", [](Plan& p) { p.compile = true; }},
      {"length_balancing", [](Plan& p) { p.length_balancing = true; }},
  };
  for (const Setting& setting : settings) {
    SCOPED_TRACE(setting.name);
    AdsJob job = everything();
    setting.change(job.plan);
    const StepReport report = run(job);
    ASSERT_EQ(report.status, StepStatus::ok);
    EXPECT_TRUE(report.step != plain.step || report.memory.demand != plain.memory.demand);
  }
}

TEST(RecommendationLaws, EveryConstantOfTheStackHasAnEffectInItsDirection) {
  struct Constant {
    const char* name;
    std::function<void(Stack&)> change;
    double sign;
  };
  const Constant constants[] = {
      {"lookup_factor", [](Stack& s) { s.lookup_factor = 2.0; }, 1.0},
      {"sparse_step", [](Stack& s) { s.sparse_step = 1_ms; }, 1.0},
      {"exchange_factor", [](Stack& s) { s.exchange_factor = 2.0; }, 1.0},
      {"lookup_overlap", [](Stack& s) { s.lookup_overlap = 1.0; }, -1.0},
      {"input_sample", [](Stack& s) { s.input_sample = Seconds{1e-3}; }, 1.0},
      {"node_input_sample", [](Stack& s) { s.node_input_sample = Seconds{1e-3}; }, 1.0},
  };
  for (const Constant& constant : constants) {
    SCOPED_TRACE(constant.name);
    AdsJob job = everything();
    job.plan.input_pipeline = InputPipeline::pipelined;
    job.model.tables[3].pooling = 2000.0;  // lookups that are seen
    const double before = step_of(job);
    constant.change(job.stack);
    EXPECT_GT(constant.sign * (step_of(job) - before), 0.0);
  }
}

}  // namespace
}  // namespace cubicbench::sim
