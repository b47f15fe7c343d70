#include <gtest/gtest.h>

#include "sim/engine/analytical.h"
#include "tests/counting_new.h"
#include "tests/sim/fixtures.h"
#include "tests/sim/random_ads.h"
#include "tests/sim/random_plan.h"

namespace cubicbench::sim {
namespace {

TEST(HotPath, AllocatesNothingOnceTheWorkspaceIsWarm) {
  const std::vector<Plan> plans = assorted_plans(400);
  const Cluster cluster = round_cluster(64);
  const Transformer model = llama_8b();
  const Stack stack = round_stack();
  Workspace workspace;
  for (const Plan& plan : plans) {
    evaluate(model, plan, cluster, stack, workspace);
  }
  const long before = allocation_count();
  Seconds total;
  for (const Plan& plan : plans) {
    total += evaluate(model, plan, cluster, stack, workspace).step;
  }
  EXPECT_EQ(allocation_count() - before, 0);
  EXPECT_GT(total.value, 0.0);
}

TEST(HotPath, NorForRecommendationModelsOfAllKinds) {
  std::vector<AdsJob> jobs;
  for (std::uint64_t seed = 0; seed < 400; ++seed) jobs.push_back(random_ads(seed));
  Workspace workspace;
  for (const AdsJob& job : jobs) {
    evaluate(job.model, job.plan, job.cluster, job.stack, workspace);
  }
  for (const AdsJob& job : jobs) {
    SCOPED_TRACE(job.cluster.gpus);
    const long before = allocation_count();
    const StepReport report = evaluate(job.model, job.plan, job.cluster, job.stack, workspace);
    EXPECT_EQ(allocation_count() - before, 0);
    EXPECT_EQ(report.status, StepStatus::ok);
  }
}

TEST(HotPath, TheCounterCounts) {
  const long before = allocation_count();
  std::vector<int> one(1);
  EXPECT_EQ(one.size(), 1u);
  EXPECT_EQ(allocation_count() - before, 1);
}

}  // namespace
}  // namespace cubicbench::sim
