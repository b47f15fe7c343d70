#include "sim/engine/itemised/itemised_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/engine/analytical.h"
#include "tests/draws_asked.h"
#include "tests/sim/fixtures.h"
#include "tests/sim/random_ads.h"
#include "tests/sim/random_experts.h"
#include "tests/sim/random_plan.h"

namespace cubicbench::sim {
namespace {

Cluster large_cluster(int gpus) {
  Cluster cluster = round_cluster(gpus);
  cluster.device.memory = Bytes{1e15};
  return cluster;
}

/// Terms and kernels by the part that they count as.
struct Sums {
  std::array<double, step_part_count> terms{};
  std::array<double, step_part_count> kernels{};
  double all = 0.0;
};

Sums sums_of(const ItemisedStep& step) {
  Sums sums;
  for (std::size_t i = 0; i < step.terms.size(); ++i) {
    sums.terms[static_cast<std::size_t>(part_of(static_cast<StepItem>(i)))] += step.terms[i].value;
    sums.all += step.terms[i].value;
  }
  for (const KernelSum& one : step.kernels) {
    sums.kernels[static_cast<std::size_t>(one.part)] += one.time.value;
  }
  return sums;
}

/// What holds of every step: terms sum to parts and to the step, none is negative, kernels take the
/// time of the parts that consist of nothing else, and all is as evaluate() says.
void check(const Workload& model, const Plan& plan, const Cluster& cluster, const Stack& stack) {
  Workspace workspace;
  const StepReport report = evaluate(model, plan, cluster, stack, workspace);
  const ItemisedStep step = itemised_step(model, plan, cluster, stack, workspace);
  ASSERT_EQ(step.report.status, StepStatus::ok);
  EXPECT_EQ(step.report.step, report.step);
  EXPECT_EQ(step.report.memory, report.memory);
  const Sums sums = sums_of(step);
  const double near = 1e-9 * report.step.value;
  EXPECT_NEAR(sums.all, report.step.value, near);
  for (std::size_t i = 0; i < step_part_count; ++i) {
    EXPECT_NEAR(sums.terms[i], report.parts[i].value, near) << "part " << i;
  }
  for (const Seconds term : step.terms) EXPECT_GE(term.value, -near);
  for (const StepPart part : {StepPart::gemm, StepPart::attention, StepPart::memory_bound,
                              StepPart::head_and_loss, StepPart::recompute}) {
    const auto i = static_cast<std::size_t>(part);
    EXPECT_NEAR(sums.kernels[i], report.parts[i].value, near) << "part " << i;
  }
}

TEST(ItemisedStep, TermsSumToPartsOfDenseModels) {
  const int count = static_cast<int>(draws_asked(200));
  for (const Plan& plan : assorted_plans(count)) {
    check(llama_8b(), plan, large_cluster(64), round_stack());
  }
}

TEST(ItemisedStep, TermsSumToPartsOfModelsWithExperts) {
  for (std::uint64_t seed = 0; seed < draws_asked(200); ++seed) {
    const ExpertJob job = random_experts(seed);
    SCOPED_TRACE(description(seed, job));
    check(job.model, job.plan, job.cluster, job.stack);
  }
}

TEST(ItemisedStep, TermsSumToPartsOfRecommendationModels) {
  for (std::uint64_t seed = 0; seed < draws_asked(200); ++seed) {
    const AdsJob job = random_ads(seed);
    SCOPED_TRACE(description(seed, job));
    check(job.model, job.plan, job.cluster, job.stack);
  }
}

double counted(const ItemisedStep& step, StepItem term, Pattern pattern) {
  double count = 0.0;
  for (const Transmission& one : step.transmissions) {
    if (one.term == term && one.pattern == pattern) count += one.count;
  }
  return count;
}

// Eight ranks share 32 layers, one a unit, and what lies outside them; 16 sequences are two
// micro-batches a rank. Each gathers 32 units and the ends forward, 32 units backward, and
// reduces the gradients of 32 units and the ends.
TEST(ItemisedStep, CountsTheCollectivesOfFullySharding) {
  Plan plan{};
  plan.global_batch = 16;
  plan.sharding = Sharding::full_shard;
  plan.reshard_after_forward = 1;
  plan.accumulate_without_sync = false;
  Workspace workspace;
  const Cluster cluster = large_cluster(8);
  const ItemisedStep step = itemised_step(llama_8b(), plan, cluster, round_stack(), workspace);
  EXPECT_TRUE(step.weights_in_units);
  EXPECT_EQ(counted(step, StepItem::weight_gathers, Pattern::all_gather), 2.0 * (33.0 + 32.0));
  EXPECT_EQ(counted(step, StepItem::gradient_reductions, Pattern::reduce_scatter), 2.0 * 33.0);
}

// Four tensor ranks without sequence parallelism: two all-reduces of 2 M h bytes a layer, forward
// and backward each [docs/models.md, Eq. T-1], and one each for the embedding and the head:
// 4 x 32 + 2 for each of 2 micro-batches of 8,192 tokens.
TEST(ItemisedStep, CountsTheAllReducesOfTensorParallelism) {
  Plan plan{};
  plan.tensor_parallel = 4;
  plan.global_batch = 4;
  Workspace workspace;
  Stack stack = round_stack();
  stack.tensor_overlap = 0.0;
  const ItemisedStep step = itemised_step(llama_8b(), plan, large_cluster(8), stack, workspace);
  ASSERT_EQ(step.report.status, StepStatus::ok);
  const auto is_it = [](const Transmission& one) {
    return one.term == StepItem::tensor_communication;
  };
  const auto found = std::ranges::find_if(step.transmissions, is_it);
  ASSERT_NE(found, step.transmissions.end());
  EXPECT_EQ(found->pattern, Pattern::all_reduce);
  EXPECT_EQ(found->group.ranks, 4);
  EXPECT_EQ(found->bytes.value, 2.0 * static_cast<double>(llama_8b().sequence) * 4096.0);
  EXPECT_EQ(found->count, (4.0 * 32.0 + 2.0) * 2.0);
  EXPECT_DOUBLE_EQ(found->time.value, found->count * found->cost.time.value);
  // Nothing hides any of it, and ranks on one node do not wait for each other.
  const auto part = static_cast<std::size_t>(StepPart::tensor_communication);
  EXPECT_NEAR(found->time.value, step.report.parts[part].value, 1e-12);
}

TEST(ItemisedStep, HasNoTermsWhereThePlanDoesNotFit) {
  Plan plan{};
  plan.global_batch = 8;
  Workspace workspace;
  Cluster cluster = round_cluster(8);
  cluster.device.memory = 8_GiB;
  const ItemisedStep step = itemised_step(llama_8b(), plan, cluster, round_stack(), workspace);
  EXPECT_NE(step.report.status, StepStatus::ok);
  EXPECT_TRUE(step.transmissions.empty());
  EXPECT_TRUE(step.kernels.empty());
}

}  // namespace
}  // namespace cubicbench::sim
