// Laws of whole steps: what must hold whatever is played.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "sim/engine/analytical.h"
#include "sim/engine/event/event_engine.h"
#include "sim/plan/split_shape.h"
#include "tests/sim/engine/event/random_job.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

constexpr std::uint64_t jobs = 144;

/// Calls `law(job, seed)` for random jobs.
template <typename Law>
void for_random_jobs(Law law) {
  for (std::uint64_t seed = 0; seed < jobs; ++seed) {
    const RandomJob job = random_job(seed);
    SCOPED_TRACE(description(seed, job));
    law(job, seed);
  }
}

Seconds sum_of_parts(const StepReport& report) {
  return std::accumulate(report.parts.begin(), report.parts.end(), Seconds{});
}

TEST(PlayLaws, ContentionOnlyEverSlows) {
  std::uint64_t slowed = 0;
  for_random_jobs([&](const RandomJob& job, std::uint64_t) {
    const double off = job.play(with_contention(false)).step.step.value;
    const double on = job.play(with_contention(true)).step.step.value;
    EXPECT_GE(on, off * (1.0 - 1e-9));
    if (on > off * (1.0 + 1e-9)) ++slowed;
  });
  EXPECT_GT(slowed, jobs / 4);  // else the jobs say nothing
}

TEST(PlayLaws, PartsSumToTheStep) {
  for_random_jobs([](const RandomJob& job, std::uint64_t seed) {
    Dice dice(seed);
    EventOptions options = with_contention(true);
    options.conditions = random_conditions(job, dice);
    const StepReport report = job.play(options).step;
    EXPECT_NEAR(sum_of_parts(report) / report.step, 1.0, 1e-9);
    for (const Seconds part : report.parts) EXPECT_GE(part.value, 0.0);
  });
}

TEST(PlayLaws, LiveTensorsPeakWhereTheMemoryReportSays) {
  for_random_jobs([](const RandomJob& job, std::uint64_t) {
    const EventReport report = job.play(with_contention(false));
    const SplitShape shape = split_shape(job.plan, 1);
    // Not every stage of a V keeps as much as its fullest.
    if (splits_backward(shape.schedule) && !shape.is_line() && !shape.turn_sends()) {
      EXPECT_LE(report.peak.value, report.step.memory.allocated.value + memory_part_count);
      EXPECT_GE(report.peak.value, 0.7 * report.step.memory.allocated.value);
      return;
    }
    // The report rounds each of its parts to bytes.
    EXPECT_NEAR(report.peak.value, report.step.memory.allocated.value, memory_part_count);
  });
}

TEST(PlayLaws, EqualArgumentsGiveEqualBits) {
  Workspace used;
  for_random_jobs([&](const RandomJob& job, std::uint64_t seed) {
    const EventOptions options = with_contention(true, seed % 2 == 0);
    const EventReport one = job.play(options);
    const EventReport other = play(job.model, job.plan, job.cluster, job.stack, options, used);
    EXPECT_EQ(one.step.step, other.step.step);
    EXPECT_EQ(one.step.parts, other.step.parts);
    EXPECT_EQ(one.counts, other.counts);
    EXPECT_EQ(one.peak, other.peak);
  });
}

TEST(PlayLaws, AWorseLinkNeverMakesAStepShorter) {
  for_random_jobs([](const RandomJob& job, std::uint64_t seed) {
    // Where steps overlap, a stage that begins later because of it may stand still less.
    if (traits(job.plan.schedule).steps_overlap) return;
    Dice dice(seed);
    EventOptions options = with_contention(true);
    const double ideal = job.play(options).step.step.value;
    options.conditions.degraded_links = random_conditions(job, dice).degraded_links;
    // Messages of a V's two chunks share links: a slower one may let the other go first.
    const double slack = splits_backward(job.plan.schedule) ? 1e-3 : 1e-9;
    EXPECT_GE(job.play(options).step.step.value, ideal * (1.0 - slack));
  });
}

TEST(PlayLaws, ARankThatIsNotSlowedChangesNothing) {
  for_random_jobs([](const RandomJob& job, std::uint64_t seed) {
    EventOptions options = with_contention(seed % 2 == 0);
    const EventReport plain = job.play(options);
    options.conditions.slow_ranks = {{static_cast<std::int64_t>(seed % 64), 1.0}};
    const EventReport same = job.play(options);
    EXPECT_EQ(same.step.step, plain.step.step);
    EXPECT_EQ(same.step.parts, plain.step.parts);
    EXPECT_EQ(same.counts, plain.counts);
  });
}

TEST(PlayLaws, ASlowRankStretchesAStepByNoMoreThanItsFactor) {
  for_random_jobs([](const RandomJob& job, std::uint64_t seed) {
    EventOptions options = with_contention(false);
    const double ideal = job.play(options).step.step.value;
    options.conditions.slow_ranks = {{static_cast<std::int64_t>(seed % 64), 1.5}};
    const double slowed = job.play(options).step.step.value;
    EXPECT_GE(slowed, ideal * (1.0 - 1e-9));
    EXPECT_LE(slowed, 1.5 * ideal * (1.0 + 1e-9));
  });
}

/// All rates doubled, all latencies halved: those of a network, its delays multiply.
RandomJob twice_as_fast(RandomJob job) {
  Device& device = job.cluster.device;
  for (FlopsPerSecond& peak : device.matmul_peak) peak *= 2.0;
  device.memory_bandwidth *= 2.0;
  device.host_bandwidth *= 2.0;
  device.kernel_overhead *= 0.5;
  Network& network = job.cluster.network;
  network.intra_bandwidth *= 2.0;
  network.inter_bandwidth *= 2.0;
  network.intra.message_channel_ll *= 2.0;
  network.intra.message_channel *= 2.0;
  network.inter.message.low_rate *= 2.0;
  network.inter.message.channel *= 2.0;
  network.intra_delay *= 0.5;
  network.inter_delay *= 0.5;
  network.collective_overhead *= 0.5;
  job.stack.host_layer_forward *= 0.5;
  job.stack.host_jitter *= 0.5;
  job.stack.latency_per_rank *= 0.5;
  return job;
}

TEST(PlayLaws, DoublingAllRatesAndHalvingAllLatenciesHalvesTheStep) {
  for_random_jobs([](const RandomJob& job, std::uint64_t seed) {
    const EventOptions options = with_contention(seed % 2 == 0);
    const EventReport one = job.play(options);
    const EventReport fast = twice_as_fast(job).play(options);
    // Each of the few kernels between two events is rounded to a picosecond.
    const double rounding = 1e-11 * static_cast<double>(one.counts.events);
    EXPECT_NEAR(2.0 * fast.step.step.value, one.step.step.value, rounding);
  });
}

TEST(PlayLaws, EventsGrowLinearlyWithMicroBatches) {
  for_random_jobs([](RandomJob job, std::uint64_t) {
    const EventOptions options = with_contention(false);
    const std::int64_t batch = job.plan.global_batch;
    const auto events = [&](std::int64_t times) {
      job.plan.global_batch = times * batch;
      return static_cast<std::int64_t>(job.play(options).counts.events);
    };
    const std::int64_t two = events(2);
    const std::int64_t three = events(3);
    EXPECT_EQ(events(4) - three, three - two);
  });
}

/// A recommendation model on 16 GPUs.
EventReport play_ads(const EventOptions& options) {
  Plan plan;
  plan.batch_per_gpu = 512;
  Workspace workspace;
  return play(small_ads(), plan, round_cluster(16), round_stack(), options, workspace);
}

TEST(PlayLaws, HoldForRecommendationModels) {
  const EventReport folded = play_ads(with_contention(true));
  ASSERT_EQ(folded.step.status, StepStatus::ok);
  const EventReport whole = play_ads(with_contention(true, false));
  EXPECT_EQ(folded.step.step, whole.step.step);
  EXPECT_EQ(folded.step.parts, whole.step.parts);
  EXPECT_EQ(folded.counts.flows, whole.counts.flows);
  EXPECT_EQ(whole.counts.ranks, 16U);
  EXPECT_GE(folded.step.step, play_ads(with_contention(false)).step.step);
  EXPECT_NEAR(sum_of_parts(folded.step) / folded.step.step, 1.0, 1e-9);
  EXPECT_NEAR(folded.peak.value, folded.step.memory.allocated.value, memory_part_count);
}

}  // namespace
}  // namespace cubicbench::sim
