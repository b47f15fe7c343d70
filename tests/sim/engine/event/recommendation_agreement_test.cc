// The closed form of a recommendation model's step against the events of the same step, where no
// two transfers share a link: two answers to one question.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "sim/engine/analytical.h"
#include "sim/engine/event/event_engine.h"
#include "tests/draws_asked.h"
#include "tests/sim/engine/event/played_job.h"
#include "tests/sim/random_ads.h"

namespace cubicbench::sim {
namespace {

constexpr double close = 0.01;

std::uint64_t jobs() { return draws_asked(300); }

TEST(RecommendationAgreement, OfTimesWithinAHundredthAndOfMemoryToTheByte) {
  Workspace workspace;
  for (std::uint64_t seed = 0; seed < jobs(); ++seed) {
    const AdsJob job = random_ads(seed);
    SCOPED_TRACE(description(seed, job));
    const StepReport closed = evaluate(job.model, job.plan, job.cluster, job.stack, workspace);
    ASSERT_EQ(closed.status, StepStatus::ok);
    const EventReport events = played(job, true, false, workspace);
    EXPECT_NEAR(events.step.step / closed.step, 1.0, close);
    EXPECT_EQ(events.step.memory.allocated, closed.memory.allocated);
    // As passes came and went; each part of the report is rounded to bytes.
    EXPECT_NEAR(events.peak.value, closed.memory.allocated.value, memory_part_count);
  }
}

TEST(RecommendationAgreement, FoldingChangesNoBit) {
  Workspace workspace;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const AdsJob job = random_ads(seed);
    SCOPED_TRACE(description(seed, job));
    expect_same_folded(job, seed % 2 == 0, workspace);
  }
}

TEST(RecommendationAgreement, ContentionOnlyEverSlows) {
  Workspace workspace;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const AdsJob job = random_ads(seed);
    SCOPED_TRACE(description(seed, job));
    const double alone = played(job, true, false, workspace).step.step.value;
    EXPECT_GE(played(job, true, true, workspace).step.step.value, alone * (1.0 - 1e-9));
  }
}

}  // namespace
}  // namespace cubicbench::sim
