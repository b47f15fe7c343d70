#include "sim/engine/analytical.h"

#include <gtest/gtest.h>

#include <functional>

#include "sim/program/lower_transformer.h"
#include "tests/sim/fixtures.h"
#include "tests/sim/random_plan.h"

namespace cubicbench::sim {
namespace {

constexpr int plan_count = 400;

/// Device memory without limit, so that every plan has a time.
Cluster roomy_cluster() {
  Cluster cluster = round_cluster(64);
  cluster.device.memory = Bytes{1e18};
  return cluster;
}

StepReport run(const Plan& plan, const Cluster& cluster, const Stack& stack = round_stack(),
               const Transformer& model = llama_8b()) {
  Workspace workspace;
  return evaluate(model, plan, cluster, stack, workspace);
}

TEST(Analytical, PartsSumToTheStep) {
  for (const Plan& plan : assorted_plans(plan_count)) {
    const StepReport report = run(plan, roomy_cluster());
    ASSERT_EQ(report.status, StepStatus::ok);
    Seconds sum;
    for (const Seconds part : report.parts) {
      EXPECT_GE(part.value, -1e-12);
      sum += part;
    }
    EXPECT_NEAR(sum.value, report.step.value, 1e-9);
  }
}

TEST(TimeStep, OfTheWholeProgramIsTheStep) {
  const Cluster cluster = roomy_cluster();
  for (const Plan& plan : assorted_plans(plan_count)) {
    const StepReport whole = run(plan, cluster);
    StepProgram program;
    lower(llama_8b(), plan, cluster, round_stack(), program);
    StepReport timed;
    time_step(program, plan, cluster, round_stack(), timed);
    EXPECT_EQ(timed.step, whole.step);
    EXPECT_EQ(timed.parts, whole.parts);
  }
}

TEST(TimeStep, LacksWhatItsProgramLacks) {
  const Cluster cluster = roomy_cluster();
  StepProgram program;
  lower(llama_8b(), round_plan(), cluster, round_stack(), program);
  program.optimizer_bytes_per_parameter = 0.0;
  StepReport timed;
  time_step(program, round_plan(), cluster, round_stack(), timed);
  const StepReport whole = run(round_plan(), cluster);
  const auto optimizer = static_cast<std::size_t>(StepPart::optimizer);
  EXPECT_GT(whole.parts[optimizer].value, 0.0);
  EXPECT_EQ(timed.parts[optimizer].value, 0.0);
  // The update that ends the step is the first stage's, the part that of the slowest one.
  EXPECT_NEAR(timed.step.value, (whole.step - whole.parts[optimizer]).value, 1e-7);
}

TEST(Analytical, MoreBandwidthNeverSlows) {
  const std::function<void(Cluster&)> upgrades[] = {
      [](Cluster& c) { c.network.intra_bandwidth *= 1.5; },
      [](Cluster& c) { c.network.inter_bandwidth *= 1.5; },
      [](Cluster& c) { c.device.memory_bandwidth *= 1.5; },
      [](Cluster& c) { c.network.inter_delay *= 0.5; },
      [](Cluster& c) {
        for (FlopsPerSecond& peak : c.device.matmul_peak) {
          peak *= 1.5;
        }
      }};
  for (const auto& upgrade : upgrades) {
    Cluster better = roomy_cluster();
    upgrade(better);
    for (const Plan& plan : assorted_plans(plan_count)) {
      EXPECT_LE(run(plan, better).step.value,
                run(plan, roomy_cluster()).step.value * (1.0 + 1e-12));
    }
  }
}

TEST(Analytical, OneTensorRankEqualsNoTensorParallelism) {
  for (Plan plan : assorted_plans(plan_count)) {
    plan.tensor_parallel = 1;
    plan.pipeline_parallel = 1;
    plan.schedule = Schedule::one_f_one_b;
    plan.shard_group = 0;
    plan.sequence_parallel = false;
    plan.async_tensor_parallel = false;
    Plan flags = plan;
    flags.sequence_parallel = true;
    flags.async_tensor_parallel = true;
    const StepReport without = run(plan, roomy_cluster());
    const StepReport with = run(flags, roomy_cluster());
    ASSERT_EQ(without.status, StepStatus::ok);
    EXPECT_EQ(with.step, without.step);
    EXPECT_EQ(with.memory, without.memory);
    EXPECT_EQ(with.parts[static_cast<std::size_t>(StepPart::tensor_communication)].value, 0.0);
  }
}

TEST(Analytical, HalfTheRatesAndTwiceTheLatenciesTakeTwiceAsLong) {
  Cluster slow = roomy_cluster();
  for (FlopsPerSecond& peak : slow.device.matmul_peak) {
    peak *= 0.5;
  }
  slow.device.memory_bandwidth *= 0.5;
  slow.device.kernel_overhead *= 2.0;
  slow.network.intra_bandwidth *= 0.5;
  slow.network.inter_bandwidth *= 0.5;
  slow.network.intra_delay *= 2.0;
  slow.network.inter_delay *= 2.0;
  Stack stack = round_stack();
  stack.host_layer_forward *= 2.0;
  stack.latency_per_rank *= 2.0;
  for (const Plan& plan : assorted_plans(plan_count)) {
    const StepReport fast = run(plan, roomy_cluster());
    EXPECT_NEAR(run(plan, slow, stack).step / fast.step, 2.0, 1e-9);
  }
}

TEST(Analytical, ALargerMicroBatchNeverKeepsLess) {
  // Of the first stage, which holds most; the stage that peaks may change with the loss.
  const auto activations = [](const Plan& plan) {
    StepProgram program;
    lower(llama_8b(), plan, roomy_cluster(), round_stack(), program);
    Bytes sum;
    const AllocationTable& table = program.allocations;
    for (const Allocation& allocation : table.of(table.holders().front())) {
      sum += allocation.part == MemoryPart::activations ? allocation.bytes : Bytes{};
    }
    return sum;
  };
  int compared = 0;
  for (Plan plan : assorted_plans(plan_count)) {
    Plan larger = plan;
    larger.micro_batch *= 2;
    // The same number of micro-batches, so that as many are in flight.
    larger.global_batch *= 2;
    if (check(larger, llama_8b(), roomy_cluster())) {
      continue;
    }
    ++compared;
    EXPECT_GE(activations(larger), activations(plan));
  }
  EXPECT_GT(compared, plan_count / 2);
}

TEST(Analytical, AUsedWorkspaceChangesNothing) {
  Workspace shared;
  const std::vector<Plan> plans = assorted_plans(plan_count);
  for (const Plan& plan : plans) {
    const StepReport reused = evaluate(llama_8b(), plan, roomy_cluster(), round_stack(), shared);
    const StepReport fresh = run(plan, roomy_cluster());
    EXPECT_EQ(reused.step, fresh.step);
    EXPECT_EQ(reused.parts, fresh.parts);
    EXPECT_EQ(reused.memory, fresh.memory);
  }
}

TEST(Analytical, HostTimeIsAFloorOfEachPassNotAnAddend) {
  Stack instant = round_stack();
  instant.host_layer_forward = 0_s;
  Stack slow = round_stack();
  slow.host_layer_forward = 1_s;  // forward 1 s, backward 2 s a layer
  Plan plan = round_plan();
  plan.pipeline_parallel = 1;
  plan.sharding = Sharding::no_shard;
  const StepReport report = run(plan, roomy_cluster(), slow);
  const double per_micro_batch = 32.0 * 3.0;
  EXPECT_GE(report.step.value, report.micro_batches * per_micro_batch);
  EXPECT_LE(report.step.value, report.micro_batches * per_micro_batch +
                                   run(plan, roomy_cluster(), instant).step.value);
}

TEST(Analytical, BubbleOfEqualStagesIsTheTextbookFraction) {
  // Without an embedding, a head and hops to speak of, 1F1B idles (p - 1) / m of the ideal time.
  Transformer model = llama_8b();
  model.vocabulary = 64;
  Stack stack = round_stack();
  stack.pipeline_overlap = 1.0;
  Cluster cluster = roomy_cluster();
  cluster.network.inter_delay = 0.0;
  cluster.network.intra_delay = 0.0;
  cluster.network.intra_bandwidth = BytesPerSecond{1e18};
  stack.stages_outermost = false;  // neighbours share a node
  cluster.network.inter_bandwidth = BytesPerSecond{1e18};
  Plan plan = round_plan();
  plan.sharding = Sharding::no_shard;
  plan.accumulate_without_sync = true;
  const auto bubble = [&] {
    const StepReport report = run(plan, cluster, stack, model);
    const Seconds idle = report.parts[static_cast<std::size_t>(StepPart::pipeline_bubble)];
    return idle / (report.step - idle);
  };
  EXPECT_NEAR(bubble(), 3.0 / 16.0, 0.005);  // p = 4, m = 128 / 8
  plan.schedule = Schedule::interleaved;
  plan.virtual_stages = 4;
  EXPECT_NEAR(bubble(), 3.0 / (4.0 * 16.0), 0.005);
  plan.virtual_stages = 5;  // 8 layers in chunks of 1.6 each
  EXPECT_NEAR(bubble(), 3.0 / (5.0 * 16.0), 0.005);
}

TEST(Analytical, ReportsWhyMemoryIsShort) {
  Plan plan = round_plan();
  plan.sharding = Sharding::no_shard;
  plan.tensor_parallel = 1;
  plan.pipeline_parallel = 1;  // 8e9 parameters x 18 bytes = 134 GiB before the first step
  EXPECT_EQ(run(plan, round_cluster(64)).status, StepStatus::oom_init);
  plan.sharding = Sharding::full_shard;
  plan.micro_batch = 2;
  const StepReport late = run(plan, round_cluster(64));
  EXPECT_EQ(late.status, StepStatus::oom_late);
  EXPECT_GT(late.memory.demand, late.memory.capacity);
  EXPECT_LE(late.memory.demand_at_start, late.memory.capacity);
  plan.micro_batch = 1;
  plan.recompute = Recompute::full;
  EXPECT_EQ(run(plan, round_cluster(64)).status, StepStatus::ok);
}

TEST(Analytical, AsynchronousTrafficHidesUnderComputeOrNotAtAll) {
  Cluster cluster = roomy_cluster();
  cluster.gpus_per_node = 1;  // every tensor group crosses nodes: traffic far above compute
  Plan plan = round_plan();
  plan.tensor_parallel = 8;
  plan.pipeline_parallel = 1;
  const StepReport bare = run(plan, cluster);
  plan.async_tensor_parallel = true;
  const StepReport overlapped = run(plan, cluster);
  const auto traffic = static_cast<std::size_t>(StepPart::tensor_communication);
  EXPECT_LT(overlapped.step, bare.step);
  EXPECT_GE(overlapped.step, bare.parts[traffic]);
  plan.sequence_parallel = false;  // nothing to pipeline with
  const Seconds with = run(plan, cluster).step;
  plan.async_tensor_parallel = false;
  EXPECT_EQ(with, run(plan, cluster).step);
}

TEST(Analytical, WithOneMicroBatchThereIsNothingToAccumulate) {
  for (Plan plan : assorted_plans(plan_count)) {
    plan.pipeline_parallel = 1;
    plan.schedule = Schedule::one_f_one_b;
    plan.shard_group = 0;
    plan.reshard_after_forward = 1;
    plan.global_batch = plan.micro_batch * 64 / (plan.tensor_parallel * plan.context_parallel);
    plan.accumulate_without_sync = false;
    const StepReport synced = run(plan, roomy_cluster());
    plan.accumulate_without_sync = true;
    ASSERT_EQ(synced.status, StepStatus::ok);
    EXPECT_NEAR(run(plan, roomy_cluster()).step / synced.step, 1.0, 1e-9)
        << static_cast<int>(plan.sharding);
  }
}

TEST(Analytical, OneUnitForTheWholeStageHidesNothing) {
  Cluster cluster = roomy_cluster();
  Plan plan = round_plan();
  plan.pipeline_parallel = 1;
  plan.wrap = 1;
  const Seconds layers = run(plan, cluster).step;
  plan.wrap = 32;
  const Seconds whole = run(plan, cluster).step;
  plan.wrap = 1000;
  EXPECT_EQ(run(plan, cluster).step, whole);
  Stack stack = round_stack();
  stack.overlap_cost = 0.0;  // free overlap: units then matter
  plan.wrap = 1;
  const Seconds hidden = run(plan, cluster, stack).step;
  plan.wrap = 32;
  EXPECT_GT(run(plan, cluster, stack).step, hidden);
  EXPECT_NEAR(whole / layers, 1.0, 0.05);
}

TEST(Analytical, DemandBeyondAnyDeviceStaysExact) {
  Plan plan = round_plan();
  plan.schedule = Schedule::gpipe;
  plan.global_batch = std::int64_t{1} << 40;
  const StepReport report = run(plan, round_cluster(64));
  EXPECT_EQ(report.status, StepStatus::oom_late);
  Bytes sum;
  for (const Bytes bytes : report.memory.parts) {
    sum += bytes;
  }
  EXPECT_EQ(sum, report.memory.allocated);
  EXPECT_LT(report.memory.reserved.value, 0x1p53);
}

TEST(Analytical, AnInvalidPlanHasNoTime) {
  Plan plan = round_plan();
  plan.tensor_parallel = 3;
  const StepReport report = run(plan, round_cluster(64));
  EXPECT_EQ(report.status, StepStatus::invalid);
  EXPECT_EQ(report.violation.rule, Rule::gpus_divide);
  EXPECT_EQ(report.step.value, 0.0);
}

}  // namespace
}  // namespace cubicbench::sim
