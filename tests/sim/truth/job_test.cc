#include "sim/truth/job.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cubicbench::sim {
namespace {

const JobTerms terms{
    .steps = 100, .startup = Seconds{300.0}, .time_limit = Seconds{2000.0}, .gpus = 64, .nodes = 8};
/// Mean step 1.1, percentile 1.2 times the ideal one.
const StepDistribution steps{.mean = 0.1, .percentile = 0.2};
const RunNoise quiet{};
const FailureModel reliable{};

TEST(SteadyJob, TakesWhatTheEquationsSay) {
  struct Case {
    const char* name;
    IdealJob job;
    JobEnd end;
    double duration_s;
  };
  for (const Case& c :
       {Case{"300 + 100 x 2 x 1.1", {StepStatus::ok, Seconds{2.0}}, JobEnd::completed, 520.0},
        Case{"300 + 100 x 20 x 1.1 is over the limit",
             {StepStatus::ok, Seconds{20.0}},
             JobEnd::timeout,
             2000.0},
        Case{"invalid is refused at once", {StepStatus::invalid, {}}, JobEnd::invalid, 0.0},
        Case{"out of memory in start-up", {StepStatus::oom_init, {}}, JobEnd::oom_init, 300.0},
        Case{"in the first step: 300 + 2 x 1.1",
             {StepStatus::oom_late, Seconds{2.0}},
             JobEnd::oom_late,
             302.2},
        Case{"in a first step beyond the limit",
             {StepStatus::oom_late, Seconds{9000.0}},
             JobEnd::oom_late,
             2000.0},
        Case{"diverges in the first step: 300 + 1 x 2 x 1.1",
             {StepStatus::ok, Seconds{2.0}, {}, 0.0},
             JobEnd::numeric,
             302.2},
        Case{"after 42.5 of 100 steps, in step 43: 300 + 43 x 2 x 1.1",
             {StepStatus::ok, Seconds{2.0}, {}, 0.425},
             JobEnd::numeric,
             394.6},
        Case{"in a step beyond the limit",
             {StepStatus::ok, Seconds{20.0}, {}, 0.9},
             JobEnd::timeout,
             2000.0},
        Case{"before a limit that the job would exceed: 300 + 11 x 20 x 1.1",
             {StepStatus::ok, Seconds{20.0}, {}, 0.1},
             JobEnd::numeric,
             542.0},
        Case{"memory runs out before anything diverges",
             {StepStatus::oom_late, Seconds{2.0}, {}, 0.5},
             JobEnd::oom_late,
             302.2}}) {
    SCOPED_TRACE(c.name);
    const JobOutcome outcome = steady_job(c.job, terms, steps);
    EXPECT_EQ(outcome.end, c.end);
    EXPECT_NEAR(outcome.duration.value, c.duration_s, 1e-9);
    // Without noise and failures a launch is the steady job.
    EXPECT_EQ(launched_job(c.job, terms, steps, quiet, reliable, {}), outcome);
  }
  const JobOutcome done = steady_job({StepStatus::ok, Seconds{2.0}}, terms, steps);
  EXPECT_DOUBLE_EQ(done.mean_step.value, 2.2);
  EXPECT_DOUBLE_EQ(done.percentile_step.value, 2.4);
}

TEST(ShortSteps, AreTheNearestNumberAndAtLeastOne) {
  EXPECT_EQ(short_steps(1.0, 200), 200);
  EXPECT_EQ(short_steps(0.25, 200), 50);
  EXPECT_EQ(short_steps(0.0625, 200), 13);  // 12.5
  EXPECT_EQ(short_steps(0.0625, 199), 12);
  EXPECT_EQ(short_steps(1e-9, 200), 1);
  EXPECT_EQ(short_steps(0.5, 1), 1);
}

TEST(SteadyJob, AShortLaunchTakesTheStartUpAndItsSteps) {
  JobTerms quarter = terms;
  quarter.short_of = 25;
  struct Case {
    const char* name;
    IdealJob job;
    JobEnd end;
    double duration_s;
  };
  for (const Case& c :
       {Case{"300 + 25 x 2 x 1.1", {StepStatus::ok, Seconds{2.0}}, JobEnd::completed, 355.0},
        Case{"within a limit that the whole job exceeds: 300 + 25 x 20 x 1.1",
             {StepStatus::ok, Seconds{20.0}},
             JobEnd::completed,
             850.0},
        Case{"beyond the limit", {StepStatus::ok, Seconds{80.0}}, JobEnd::timeout, 2000.0},
        Case{"out of memory in the first step",
             {StepStatus::oom_late, Seconds{2.0}},
             JobEnd::oom_late,
             302.2},
        Case{"diverges in step 11: 300 + 11 x 2 x 1.1",
             {StepStatus::ok, Seconds{2.0}, {}, 0.1},
             JobEnd::numeric,
             324.2},
        Case{"diverges in its last step, 25: 300 + 25 x 2 x 1.1",
             {StepStatus::ok, Seconds{2.0}, {}, 0.24},
             JobEnd::numeric,
             355.0},
        Case{"has ended before step 26, in which it would diverge",
             {StepStatus::ok, Seconds{2.0}, {}, 0.25},
             JobEnd::completed,
             355.0}}) {
    SCOPED_TRACE(c.name);
    const JobOutcome outcome = steady_job(c.job, quarter, steps);
    EXPECT_EQ(outcome.end, c.end);
    EXPECT_NEAR(outcome.duration.value, c.duration_s, 1e-9);
    EXPECT_EQ(launched_job(c.job, quarter, steps, quiet, reliable, {}), outcome);
  }
}

TEST(MeasuredSteps, OfAShortLaunchHaveTheErrorOfASample) {
  // One GPU is late by an exponential time of mean 1: the quantile u is 1 - exp(-delay).
  const StepJitter jitter{.gpu_mean = 1.0};
  JobTerms some{.steps = 200, .gpus = 1};
  const StepDistribution whole = step_distribution(jitter, some.gpus, 0.5);
  EXPECT_EQ(measured_steps(whole, jitter, some, 0.5, {.attempt = 3}), whole);
  some.short_of = 200;
  EXPECT_EQ(measured_steps(whole, jitter, some, 0.5, {.attempt = 3}), whole);
  for (const std::int64_t ran : {1, 13, 50}) {
    SCOPED_TRACE(ran);
    some.short_of = ran;
    constexpr int launches = 4'000;
    double sum = 0.0;
    double squares = 0.0;
    for (std::int64_t attempt = 0; attempt < launches; ++attempt) {
      const JobKey key{.seed = 5, .configuration = 9, .attempt = attempt};
      const StepDistribution measured = measured_steps(whole, jitter, some, 0.5, key);
      EXPECT_EQ(measured, measured_steps(whole, jitter, some, 0.5, key));
      EXPECT_EQ(measured.mean, whole.mean);
      const double u = 1.0 - std::exp(-measured.percentile);
      const double logit = std::log(u / (1.0 - u));
      sum += logit;
      squares += logit * logit;
    }
    const double variance = (1.0 / static_cast<double>(ran) - 1.0 / 200.0) / 0.25;
    EXPECT_NEAR(sum / launches, 0.0, 4.0 * std::sqrt(variance / launches));
    EXPECT_NEAR(squares / launches / variance, 1.0, 0.1);  // standard error 0.022
  }
  // The fastest step, and no number out of (0, 1) however unlikely.
  EXPECT_EQ(measured_steps(whole, jitter, some, 0.0, {}), whole);
  some.short_of = 1;
  for (std::int64_t attempt = 0; attempt < 200; ++attempt) {
    const auto measured = measured_steps(whole, jitter, some, 1e-6, {.attempt = attempt});
    EXPECT_TRUE(std::isfinite(measured.percentile));
  }
}

TEST(StepsUntilDivergence, AreAtLeastOneAndAtMostAll) {
  EXPECT_EQ(steps_until_divergence(0.0, 200), 1);
  EXPECT_EQ(steps_until_divergence(0.5, 200), 101);
  EXPECT_EQ(steps_until_divergence(1.0 - 0x1p-53, 200), 200);
  EXPECT_EQ(steps_until_divergence(0.9, 1), 1);
}

/// The first launch that gets the slower network, or the faster one.
JobKey launch_on(bool slow, const RunNoise& noise) {
  JobKey key;
  const auto is_slow = [&] {
    return draw_luck(noise, terms.nodes,
                     {.purpose = Purpose::noise, .draw = static_cast<std::uint32_t>(key.attempt)})
               .network_delay > 0.0;
  };
  while (is_slow() != slow) {
    ++key.attempt;
  }
  return key;
}

TEST(LaunchedJob, LuckActsOnStepAndTraffic) {
  const IdealJob job{StepStatus::ok, Seconds{2.0}, Seconds{0.6}};
  // One network is twice as slow as the other: a third more and a third less than their mean.
  const RunNoise networks{.slow_network_probability = 0.5, .slow_network_excess = 1.0};
  for (const bool slow : {false, true}) {
    const double step = slow ? 2.2 : 1.8;
    const JobOutcome outcome =
        launched_job(job, terms, steps, networks, reliable, launch_on(slow, networks));
    EXPECT_NEAR(outcome.percentile_step.value, step * 1.2, 1e-12);
    EXPECT_NEAR(outcome.duration.value, 300.0 + 100.0 * step * 1.1, 1e-9);
  }
}

TEST(LaunchedJob, ARunPushedOverTheLimitIsATimeout) {
  // 300 + 100 x 15 x 1.1 = 1950 s fits; with all of the step slowed by a seventh it does not.
  const IdealJob job{StepStatus::ok, Seconds{15.0}, Seconds{15.0}};
  ASSERT_EQ(steady_job(job, terms, steps).end, JobEnd::completed);
  const RunNoise networks{.slow_network_probability = 0.5, .slow_network_excess = 1.0 / 3.0};
  const JobOutcome outcome =
      launched_job(job, terms, steps, networks, reliable, launch_on(true, networks));
  EXPECT_EQ(outcome.end, JobEnd::timeout);
  EXPECT_EQ(outcome.duration, terms.time_limit);
}

TEST(LaunchedJob, FailuresEndItEarlyAndHangsAtTheLimit) {
  const IdealJob job{StepStatus::ok, Seconds{2.0}};
  // 64 GPUs at 10 failures a GPU-hour: 640 an hour, one every 5.6 s.
  const FailureModel hopeless{.per_gpu_hour = 10.0};
  const FailureModel hanging{.per_gpu_hour = 10.0, .hang_share = 1.0};
  double sum = 0.0;
  for (std::int64_t attempt = 0; attempt < 1000; ++attempt) {
    const JobKey key{.seed = 3, .configuration = 7, .attempt = attempt};
    const JobOutcome failed = launched_job(job, terms, steps, quiet, hopeless, key);
    EXPECT_EQ(failed.end, JobEnd::infra);
    sum += failed.duration.value;
    const JobOutcome hung = launched_job(job, terms, steps, quiet, hanging, key);
    EXPECT_EQ(hung.end, JobEnd::timeout);
    EXPECT_EQ(hung.duration, terms.time_limit);
  }
  EXPECT_NEAR(sum / 1000.0, 3600.0 / 640.0, 4.0 * 3600.0 / 640.0 / std::sqrt(1000.0));
}

TEST(LaunchedJob, PropertiesOfTheConfigurationStayWhateverTheAttempt) {
  const FailureModel hopeless{.per_gpu_hour = 10.0, .hang_share = 0.5};
  for (const IdealJob& job :
       {IdealJob{StepStatus::invalid, {}}, IdealJob{StepStatus::oom_init, {}},
        IdealJob{StepStatus::oom_late, Seconds{2.0}}, IdealJob{StepStatus::ok, Seconds{20.0}},
        IdealJob{StepStatus::ok, Seconds{2.0}, Seconds{0.5}, 0.7}}) {
    for (std::int64_t attempt = 0; attempt < 50; ++attempt) {
      EXPECT_EQ(launched_job(job, terms, steps, field_run_noise, hopeless, {.attempt = attempt}),
                steady_job(job, terms, steps));
    }
  }
}

TEST(LaunchedStatus, IsOfTheLaunchsOwnDemand) {
  StepReport report;
  report.memory.capacity = Bytes{100.0};
  for (const StepStatus verdict : {StepStatus::ok, StepStatus::oom_late}) {
    report.status = verdict;
    EXPECT_EQ(launched_status(report, Bytes{99.0}), StepStatus::ok);
    EXPECT_EQ(launched_status(report, Bytes{100.0}), StepStatus::ok);
    EXPECT_EQ(launched_status(report, Bytes{100.1}), StepStatus::oom_late);
  }
  for (const StepStatus fixed : {StepStatus::oom_init, StepStatus::invalid}) {
    report.status = fixed;
    EXPECT_EQ(launched_status(report, Bytes{99.0}), fixed);
    EXPECT_EQ(launched_status(report, Bytes{101.0}), fixed);
  }
}

TEST(LaunchedDemandFactor, IsOneWithoutNoiseAndElseAFunctionOfTheKey) {
  const NoiseModel& field = *find_noise_model("field");
  const JobKey key{.seed = 1, .configuration = 2, .attempt = 3};
  EXPECT_EQ(launched_demand_factor(*find_noise_model("none"), key), 1.0);
  EXPECT_EQ(launched_demand_factor(field, key), launched_demand_factor(field, key));
  EXPECT_EQ(
      launched_demand_factor(field, key),
      demand_factor(uniform({.seed = 1, .purpose = Purpose::memory, .entity = 2, .draw = 3})));
  for (const JobKey& other : {JobKey{.seed = 2, .configuration = 2, .attempt = 3},
                              JobKey{.seed = 1, .configuration = 3, .attempt = 3},
                              JobKey{.seed = 1, .configuration = 2, .attempt = 4}}) {
    EXPECT_NE(launched_demand_factor(field, key), launched_demand_factor(field, other));
  }
}

TEST(LaunchedJob, IsAFunctionOfItsKey) {
  const IdealJob job{StepStatus::ok, Seconds{2.0}, Seconds{0.5}};
  const auto launch = [&](const JobKey& key) {
    return launched_job(job, terms, steps, field_run_noise, llama3_2024, key);
  };
  const JobKey key{.seed = 1, .configuration = 2, .attempt = 3};
  EXPECT_EQ(launch(key), launch(key));
  for (const JobKey& other : {JobKey{.seed = 2, .configuration = 2, .attempt = 3},
                              JobKey{.seed = 1, .configuration = 3, .attempt = 3},
                              JobKey{.seed = 1, .configuration = 2, .attempt = 4}}) {
    EXPECT_NE(launch(key).percentile_step, launch(other).percentile_step);
  }
}

TEST(Models, AreFoundByName) {
  ASSERT_NE(find_noise_model("none"), nullptr);
  EXPECT_EQ(*find_noise_model("none"), NoiseModel{});
  ASSERT_NE(find_noise_model("field"), nullptr);
  EXPECT_EQ(*find_noise_model("field"), (NoiseModel{field_jitter, field_run_noise, true}));
  EXPECT_EQ(find_noise_model("fields"), nullptr);
  ASSERT_NE(find_failure_model("none"), nullptr);
  EXPECT_EQ(*find_failure_model("none"), FailureModel{});
  ASSERT_NE(find_failure_model("llama3-2024"), nullptr);
  EXPECT_EQ(*find_failure_model("llama3-2024"), llama3_2024);
  EXPECT_EQ(find_failure_model("llama3"), nullptr);
}

}  // namespace
}  // namespace cubicbench::sim
