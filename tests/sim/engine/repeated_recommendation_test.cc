// Halves that are remembered and joined give the verdict on the whole step, to the bit.
#include "sim/engine/repeated_recommendation.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>

#include "sim/engine/analytical.h"
#include "tests/sim/random_ads.h"

namespace cubicbench::sim {
namespace {

constexpr std::uint64_t jobs = 60;
constexpr std::uint64_t plans = 60;

/// The dense side of one plan and the tables of another, in the type of parameters and the batch of
/// the first. Asked for other GPUs they may break rules.
Plan mixed(const Plan& dense, const Plan& tables) {
  Plan plan = dense;
  plan.embedding_plan = tables.embedding_plan;
  plan.embedding_groups = tables.embedding_groups;
  plan.embedding_sync_interval = tables.embedding_sync_interval;
  plan.embedding_kernel = tables.embedding_kernel;
  plan.embedding_cache_thousandths = tables.embedding_cache_thousandths;
  plan.embedding_dtype = tables.embedding_dtype;
  plan.embedding_optimizer = tables.embedding_optimizer;
  plan.embedding_replicate_below_gib_thousandths = tables.embedding_replicate_below_gib_thousandths;
  plan.forward_comm_dtype = tables.forward_comm_dtype;
  plan.backward_comm_dtype = tables.backward_comm_dtype;
  plan.input_pipeline = tables.input_pipeline;
  return plan;
}

/// Each half comes several times, in no order.
Plan plan_of(std::uint64_t number) {
  constexpr std::uint64_t halves = 7;
  return mixed(random_ads(1000 + number % halves).plan,
               random_ads(2000 + number / 3 % halves).plan);
}

/// Devices with room for a share of what the job's own plan needs.
void shrink(AdsJob& job, double share) {
  Workspace workspace;
  const MemoryReport needs =
      evaluate(job.model, job.plan, job.cluster, job.stack, workspace).memory;
  job.cluster.device.memory += share * needs.demand - needs.capacity;
}

TEST(RepeatedRecommendation, SaysWhatTheWholeStepSays) {
  std::set<StepStatus> seen;
  for (std::uint64_t seed = 0; seed < jobs; ++seed) {
    AdsJob job = random_ads(seed);
    if (seed % 4 != 0) shrink(job, 0.4 * static_cast<double>(seed % 4));
    RepeatedRecommendation repeated(job.model, job.cluster, job.stack);
    Workspace workspace;
    for (std::uint64_t i = 0; i < plans; ++i) {
      const Plan plan = i % 8 == 0 ? job.plan : plan_of(i);
      SCOPED_TRACE("plan " + std::to_string(i) + " of " + description(seed, job));
      const StepReport whole = evaluate(job.model, plan, job.cluster, job.stack, workspace);
      const StepVerdict verdict = repeated.evaluate(plan);
      seen.insert(whole.status);
      ASSERT_EQ(verdict.status, whole.status);
      if (whole.status == StepStatus::ok) {
        ASSERT_EQ(verdict.step.value, whole.step.value);
      }
    }
  }
  EXPECT_EQ(seen.size(), 4u) << "all kinds of verdicts";
}

/// Calls `visit` with `plan` with one setting of the dense side after the other as `other` has it.
template <typename Visit>
void each_with_one_of(const Plan& plan, const Plan& other, Visit visit) {
  const auto change = [&](auto... settings) {
    const auto one = [&](auto setting) {
      Plan changed = plan;
      changed.*setting = other.*setting;
      visit(changed);
    };
    (one(settings), ...);
  };
  change(&Plan::batch_per_gpu, &Plan::dense_sharding, &Plan::sequence_sharding,
         &Plan::interaction_sharding, &Plan::over_sharding, &Plan::shard_group,
         &Plan::reshard_after_forward, &Plan::wrap, &Plan::forward_prefetch,
         &Plan::backward_prefetch, &Plan::limit_all_gathers, &Plan::dtype, &Plan::param_dtype,
         &Plan::reduce_dtype, &Plan::optimizer, &Plan::offload, &Plan::recompute,
         &Plan::recompute_every, &Plan::compile, &Plan::length_balancing);
}

/// What a part of the dense side does not read must not keep it from being made again where it does
/// read what changed.
TEST(RepeatedRecommendation, ForgetsNoSettingOfTheDenseSide) {
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 0; seed < jobs; ++seed) {
    const AdsJob job = random_ads(seed);
    RepeatedRecommendation repeated(job.model, job.cluster, job.stack);
    Workspace workspace;
    for (std::uint64_t other = 0; other < 8; ++other) {
      each_with_one_of(job.plan, random_ads(3000 + other).plan, [&](const Plan& plan) {
        const StepReport whole = evaluate(job.model, plan, job.cluster, job.stack, workspace);
        const StepVerdict verdict = repeated.evaluate(plan);
        ASSERT_EQ(verdict.status, whole.status) << description(seed, job);
        if (whole.status != StepStatus::ok) return;
        ASSERT_EQ(verdict.step.value, whole.step.value) << description(seed, job);
        ++compared;
      });
    }
  }
  EXPECT_GT(compared, 5'000U);
}

TEST(RememberedHalves, ForgetWhatTheyHaveNoRoomForAndMakeItAgain) {
  using Key = std::array<std::uint64_t, 2>;
  RememberedHalves<Key, std::uint64_t> halves(8);
  std::uint64_t made = 0;
  const auto ask = [&](std::uint64_t number) {
    return halves.get(Key{number, 3}, [&] {
      ++made;
      return 10 * number;
    });
  };
  for (int round = 0; round < 2; ++round) {
    for (std::uint64_t number = 0; number < 8; ++number) EXPECT_EQ(ask(number), 10 * number);
  }
  EXPECT_EQ(made, 8u);
  for (const std::uint64_t number : {3u, 100u, 3u, 100u, 101u, 3u}) {
    EXPECT_EQ(ask(number), 10 * number);
  }
  EXPECT_EQ(made, 11u);  // 100 pushed all out, 3 had to be made again, and 101
}

}  // namespace
}  // namespace cubicbench::sim
