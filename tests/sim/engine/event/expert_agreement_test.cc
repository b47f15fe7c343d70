// The closed form of the step of a model with experts against the events of the same step, where no
// two transfers share a link: two answers to one question.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>

#include "sim/engine/analytical.h"
#include "sim/engine/event/event_engine.h"
#include "tests/draws_asked.h"
#include "tests/sim/engine/event/played_job.h"
#include "tests/sim/random_experts.h"

namespace cubicbench::sim {
namespace {

// As of dense models of the same shapes, a few lie where the closed forms leave out what chunks of
// unequal stages and reductions between copies do (docs/models.md, section P).
constexpr double close = 0.01;
constexpr double most = 0.88;
constexpr double widest = 0.08;

std::uint64_t jobs() { return draws_asked(200); }

TEST(ExpertAgreement, OfTimesWithinAHundredthAndOfMemoryToTheByte) {
  Workspace workspace;
  std::uint64_t agree = 0;
  for (std::uint64_t seed = 0; seed < jobs(); ++seed) {
    const ExpertJob job = random_experts(seed);
    SCOPED_TRACE(description(seed, job));
    const StepReport closed = evaluate(job.model, job.plan, job.cluster, job.stack, workspace);
    ASSERT_EQ(closed.status, StepStatus::ok);
    const EventReport events = played(job, true, false, workspace);
    const double difference = std::abs(events.step.step / closed.step - 1.0);
    EXPECT_LE(difference, widest);
    if (difference <= close) ++agree;
    EXPECT_NEAR(events.peak.value, closed.memory.allocated.value, memory_part_count);
  }
  EXPECT_GE(static_cast<double>(agree), most * static_cast<double>(jobs()));
}

TEST(ExpertAgreement, OfEveryJobWithEqualStagesAndWholeWeights) {
  Workspace workspace;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 0; seed < 2 * jobs(); ++seed) {
    ExpertJob job = random_experts(seed);
    job.model.experts.first_dense_layers = 0;
    job.model.experts.period = 1;
    job.model.prediction_layers = 0;
    job.model.layers = 16;
    job.plan.sharding = Sharding::no_shard;
    if (job.plan.schedule == Schedule::interleaved) job.plan.schedule = Schedule::one_f_one_b;
    SCOPED_TRACE(description(seed, job));
    const StepReport closed = evaluate(job.model, job.plan, job.cluster, job.stack, workspace);
    if (closed.status != StepStatus::ok) continue;
    ++compared;
    EXPECT_NEAR(played(job, true, false, workspace).step.step / closed.step, 1.0, 1.2 * close);
  }
  EXPECT_GT(compared, jobs() / 2);
}

TEST(ExpertAgreement, OfExpertsThatAreStoredElsewhere) {
  Workspace workspace;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    ExpertJob job = random_experts(seed);
    job.model.experts.first_dense_layers = 0;
    job.model.experts.period = 1;
    job.model.prediction_layers = 0;
    job.model.layers = 16;
    job.plan.pipeline_parallel = 1;
    job.plan.schedule = Schedule::one_f_one_b;
    job.plan.sharding = Sharding::no_shard;
    job.plan.global_batch = 128;
    job.plan.expert_storage = seed % 2 == 0 ? ExpertStorage::host : ExpertStorage::ssd;
    job.plan.expert_cache_thousandths = 500;
    job.plan.expert_prefetch = seed % 3 != 0;
    job.stack.data_overlap = 0.0;  // else reductions run beside the update as well
    job.cluster.device.host_bandwidth = 50_GBps;
    job.cluster.device.host_memory_bandwidth = 200_GBps;
    job.cluster.device.storage_bandwidth = 6_GBps;
    SCOPED_TRACE(description(seed, job));
    const StepReport closed = evaluate(job.model, job.plan, job.cluster, job.stack, workspace);
    if (closed.status != StepStatus::ok) continue;
    const StepReport events = played(job, true, false, workspace).step;
    EXPECT_NEAR(events.step / closed.step, 1.0, close);
    const auto storage = static_cast<std::size_t>(StepPart::expert_storage);
    EXPECT_NEAR(events.parts[storage] / closed.step, closed.parts[storage] / closed.step, close);
  }
}

TEST(ExpertAgreement, FoldingChangesNoBit) {
  Workspace workspace;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const ExpertJob job = random_experts(seed);
    SCOPED_TRACE(description(seed, job));
    expect_same_folded(job, seed % 2 == 0, workspace);
  }
}

TEST(ExpertAgreement, ContentionOnlyEverSlows) {
  Workspace workspace;
  std::uint64_t slowed = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const ExpertJob job = random_experts(seed);
    SCOPED_TRACE(description(seed, job));
    const double alone = played(job, true, false, workspace).step.step.value;
    const double shared = played(job, true, true, workspace).step.step.value;
    EXPECT_GE(shared, alone * (1.0 - 1e-9));
    if (shared > alone * (1.0 + 1e-9)) ++slowed;
  }
  EXPECT_GT(slowed, 10U);  // else the jobs say nothing
}

TEST(ExpertAgreement, PartsSumToTheStep) {
  Workspace workspace;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const ExpertJob job = random_experts(seed);
    SCOPED_TRACE(description(seed, job));
    const StepReport report = played(job, true, true, workspace).step;
    const Seconds sum = std::accumulate(report.parts.begin(), report.parts.end(), Seconds{});
    EXPECT_NEAR(sum / report.step, 1.0, 1e-9);
    for (const Seconds part : report.parts) EXPECT_GE(part.value, 0.0);
  }
}

}  // namespace
}  // namespace cubicbench::sim
