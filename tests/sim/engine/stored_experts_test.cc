#include <gtest/gtest.h>

#include "sim/engine/analytical.h"
#include "sim/plan/validity.h"
#include "sim/program/expert_share.h"
#include "tests/sim/expert_models.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

Plan stored_plan(ExpertStorage storage) {
  Plan plan{};
  plan.expert_parallel = 8;
  plan.global_batch = 64;
  plan.sharding = Sharding::zero1;
  plan.expert_storage = storage;
  return plan;
}

StepReport run(const Transformer& model, const Plan& plan, const Cluster& cluster) {
  Workspace workspace;
  Cluster large = cluster;
  large.device.memory = Bytes{1e15};
  return evaluate(model, plan, large, round_stack(), workspace);
}

double seconds(const StepReport& report, StepPart part) {
  return report.parts[static_cast<std::size_t>(part)].value;
}

double bytes(const StepReport& report, MemoryPart part) {
  return report.memory.parts[static_cast<std::size_t>(part)].value;
}

// One expert of Mixtral a rank: 3 x 4,096 x 14,336 weights of two bytes; 32,768 tokens miss none.
TEST(StoredExperts, MovesTheActivatedWeights) {
  Plan plan = stored_plan(ExpertStorage::ssd);
  plan.expert_cache_thousandths = 750;
  const double weights = 2.0 * 3.0 * 4096.0 * 14336.0;
  const StoredExperts stored = stored_experts(mixtral_8x7b(), plan);
  EXPECT_DOUBLE_EQ(stored.activated, 1.0);
  EXPECT_DOUBLE_EQ(stored.fetched, weights);
  EXPECT_DOUBLE_EQ(stored.returned, weights);
  EXPECT_DOUBLE_EQ(stored.read, 0.25 * weights);
  plan.expert_storage = ExpertStorage::host;
  EXPECT_EQ(stored_experts(mixtral_8x7b(), plan).read, 0.0);
}

TEST(StoredExperts, FewTokensActivateFewExperts) {
  Plan plan = stored_plan(ExpertStorage::host);
  plan.expert_parallel = 1;
  Transformer model = mixtral_8x7b();
  model.sequence = 1;
  EXPECT_DOUBLE_EQ(stored_experts(model, plan).activated, 2.0 / 8.0);
  model.sequence = 2;
  EXPECT_DOUBLE_EQ(stored_experts(model, plan).activated, 1.0 - 0.75 * 0.75);
}

// 32 layers of one expert: copies of 352 MB over 25 GB/s both ways without prefetch, in each of 8
// micro-batches... and the update of 176 M weights a layer at 28 bytes over 25 GB/s.
TEST(StoredExperts, WithoutPrefetchAllOfItWaits) {
  Plan plan = stored_plan(ExpertStorage::host);
  plan.expert_prefetch = false;
  const double weights = 3.0 * 4096.0 * 14336.0;
  const StepReport report = run(mixtral_8x7b(), plan, round_cluster(8));
  const double copies = 8.0 * 32.0 * 2.0 * (2.0 * weights / 25e9);
  const double update = 28.0 * 32.0 * weights / 25e9;
  EXPECT_NEAR(seconds(report, StepPart::expert_storage), copies + update, 1e-9);
}

TEST(StoredExperts, PrefetchHidesWhatComputeCovers) {
  Plan plan = stored_plan(ExpertStorage::host);
  const StepReport prefetched = run(mixtral_8x7b(), plan, round_cluster(8));
  const StepReport kept = run(mixtral_8x7b(), stored_plan(ExpertStorage::device), round_cluster(8));
  plan.expert_prefetch = false;
  const StepReport waits = run(mixtral_8x7b(), plan, round_cluster(8));
  EXPECT_LT(prefetched.step, waits.step);
  EXPECT_EQ(seconds(kept, StepPart::expert_storage), 0.0);
  plan.expert_prefetch = true;
  Cluster slow = round_cluster(8);
  slow.device.host_bandwidth = 1_GBps;
  EXPECT_GT(seconds(run(mixtral_8x7b(), plan, slow), StepPart::expert_storage),
            seconds(prefetched, StepPart::expert_storage));
}

TEST(StoredExperts, SlowerStorageCostsMore) {
  double before = 0.0;
  for (const std::int64_t cached : {1000, 900, 500, 0}) {
    Plan plan = stored_plan(ExpertStorage::ssd);
    plan.expert_cache_thousandths = cached;
    const double step = run(mixtral_8x7b(), plan, round_cluster(8)).step.value;
    EXPECT_GE(step, before);
    before = step;
  }
}

// The device holds two layers' weights and one layer's gradients of them: 4 a S / L, and the
// weights that are on their way.
TEST(StoredExperts, TheDeviceHoldsOneLayer) {
  const Plan plan = stored_plan(ExpertStorage::host);
  const double layer = 2.0 * 3.0 * 4096.0 * 14336.0;
  const StepReport stored = run(mixtral_8x7b(), plan, round_cluster(8));
  const StepReport kept = run(mixtral_8x7b(), stored_plan(ExpertStorage::device), round_cluster(8));
  EXPECT_NEAR(bytes(kept, MemoryPart::parameters) - bytes(stored, MemoryPart::parameters),
              (32.0 - 2.0) * layer, 8.0);
  EXPECT_DOUBLE_EQ(stored_experts_gradients(mixtral_8x7b(), plan), layer);
}

TEST(StoredExperts, ShardsOfStoredExpertsAreNotModelled) {
  Plan plan = stored_plan(ExpertStorage::host);
  plan.sharding = Sharding::full_shard;
  EXPECT_FALSE(check(plan, mixtral_8x7b(), round_cluster(8)));
  EXPECT_EQ(check(plan, mixtral_8x7b(), round_cluster(16)).rule, Rule::not_modelled);
}

}  // namespace
}  // namespace cubicbench::sim
