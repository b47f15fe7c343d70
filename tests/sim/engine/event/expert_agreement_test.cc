// The closed form of the step of a model with experts against the events of the same step, where no
// two transfers share a link: two answers to one question.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>

#include "sim/engine/analytical.h"
#include "sim/engine/event/event_engine.h"
#include "tests/sim/random_experts.h"

namespace cubicbench::sim {
namespace {

constexpr double close = 0.01;

std::uint64_t jobs() {
  const char* text = std::getenv("CUBICBENCH_AGREEMENT_CONFIGURATIONS");
  return text == nullptr ? 200 : std::strtoull(text, nullptr, 10);
}

EventReport played(const ExpertJob& job, bool fold, bool contention, Workspace& workspace) {
  EventOptions options;
  options.contention = contention;
  options.fold = fold;
  return play(job.model, job.plan, job.cluster, job.stack, options, workspace);
}

TEST(ExpertAgreement, OfTimesWithinAHundredthAndOfMemoryToTheByte) {
  Workspace workspace;
  for (std::uint64_t seed = 0; seed < jobs(); ++seed) {
    const ExpertJob job = random_experts(seed);
    SCOPED_TRACE(description(seed, job));
    const StepReport closed = evaluate(job.model, job.plan, job.cluster, job.stack, workspace);
    ASSERT_EQ(closed.status, StepStatus::ok);
    const EventReport events = played(job, true, false, workspace);
    EXPECT_NEAR(events.step.step / closed.step, 1.0, close);
    EXPECT_NEAR(events.peak.value, closed.memory.allocated.value, memory_part_count);
  }
}

TEST(ExpertAgreement, FoldingChangesNoBit) {
  Workspace workspace;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const ExpertJob job = random_experts(seed);
    SCOPED_TRACE(description(seed, job));
    const bool contention = seed % 2 == 0;
    const EventReport folded = played(job, true, contention, workspace);
    const EventReport whole = played(job, false, contention, workspace);
    EXPECT_EQ(whole.counts.ranks, static_cast<std::uint64_t>(job.cluster.gpus));
    EXPECT_EQ(folded.step.step, whole.step.step);
    EXPECT_EQ(folded.step.parts, whole.step.parts);
    EXPECT_EQ(folded.peak, whole.peak);
    EXPECT_EQ(folded.counts.flows, whole.counts.flows);
    EXPECT_LE(folded.counts.ranks, whole.counts.ranks);
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
