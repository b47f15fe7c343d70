// Late ranks: the engine draws every GPU's delay, the truth model knows the distribution of the
// latest in closed form. The two share a table and no code.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <vector>

#include "sim/base/numeric.h"
#include "sim/base/philox.h"
#include "sim/base/slowest.h"
#include "sim/engine/event/event_engine.h"
#include "sim/truth/noise_and_failures.h"
#include "tests/sim/base/slowest_sd.h"
#include "tests/sim/engine/event/random_job.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

constexpr int gpus = 512;
constexpr std::uint64_t seed = 20;

Transformer two_layers() {
  Transformer model = llama_8b();
  model.layers = 2;
  model.sequence = 2048;
  return model;
}

EventReport play_late(const Transformer& model, const Plan& plan,
                      const std::optional<std::uint32_t>& step) {
  Workspace workspace;
  EventOptions options = with_contention(false);
  if (step) {
    options.late = LateRanks{.seed = seed, .step = *step, .gpu_mean = field_jitter.gpu_mean};
  }
  return play(model, plan, round_cluster(gpus), round_stack(), options, workspace);
}

/// Data parallelism alone: all meet in the reduction of gradients.
Plan data_parallel() {
  Plan plan;
  plan.global_batch = gpus;
  return plan;
}

/// How much longer than the ideal step each of `steps` steps is, over the ideal step.
std::vector<double> delays(const Transformer& model, const Plan& plan, std::uint32_t steps) {
  const Seconds ideal = play_late(model, plan, {}).step.step;
  std::vector<double> all;
  for (std::uint32_t step = 0; step < steps; ++step) {
    all.push_back(play_late(model, plan, step).step.step / ideal - 1.0);
  }
  return all;
}

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

TEST(LateRanks, AllWaitForTheLatestOne) {
  const double ideal = play_late(two_layers(), data_parallel(), {}).step.step.value;
  for (std::uint32_t step = 0; step < 20; ++step) {
    SCOPED_TRACE(testing::Message() << "step " << step);
    double latest = 0.0;
    for (std::uint64_t rank = 0; rank < gpus; ++rank) {
      const double u =
          uniform({.seed = seed, .purpose = Purpose::late_rank, .entity = rank, .draw = step});
      latest = std::max(latest, -field_jitter.gpu_mean * log(1.0 - u));
    }
    const EventReport report = play_late(two_layers(), data_parallel(), step);
    // The delay is rounded to a picosecond; the ideal step of both engines differs by less than
    // one in a thousand.
    EXPECT_NEAR(report.step.step.value, ideal + latest * ideal, 1e-3 * latest * ideal);
    EXPECT_EQ(report.counts.ranks, static_cast<std::uint64_t>(gpus));
  }
}

/// Standard error of the p-quantile of `steps` delays: sqrt(p (1 - p) / steps) over their density
/// there, the derivative of (1 - exp(-x / beta))^n.
double quantile_error(double p, std::uint32_t steps) {
  const double beta = field_jitter.gpu_mean;
  const double late = std::exp(-slowest_quantile(beta, gpus, p) / beta);
  const double density = gpus / beta * late * std::pow(1.0 - late, gpus - 1);
  return std::sqrt(p * (1.0 - p) / steps) / density;
}

TEST(LateRanks, ReproduceThePercentilesOfTheTruthModelOn512Gpus) {
  constexpr std::uint32_t steps = 500;
  std::vector<double> all = delays(two_layers(), data_parallel(), steps);
  std::sort(all.begin(), all.end());
  for (const double p : {0.1, 0.5, 0.9, 0.99}) {
    SCOPED_TRACE(testing::Message() << "quantile " << p);
    const double expected = step_distribution(field_jitter, gpus, p).percentile;
    const double played = all[static_cast<std::size_t>(p * steps)];
    // Three standard errors: 3 % of the delay at p = 0.1, 12 % at p = 0.99.
    EXPECT_NEAR(played, expected, 3.0 * quantile_error(p, steps));
  }
  const double error = slowest_sd(field_jitter.gpu_mean, gpus) / std::sqrt(steps);
  EXPECT_NEAR(mean_of(all), step_distribution(field_jitter, gpus, 0.5).mean, 3.0 * error);
}

TEST(LateRanks, PipelinesAbsorbWhatLaterStagesAreLate) {
  // Eight stages of two layers: a rank of stage s waits for s forward passes before it has work.
  Transformer model = two_layers();
  model.layers = 16;
  Plan plan;
  plan.pipeline_parallel = 8;
  plan.global_batch = gpus / 8 * 16;
  plan.accumulate_without_sync = true;
  const double played = mean_of(delays(model, plan, 60));
  const double first = step_distribution(field_jitter, gpus / 8, 0.5).mean;
  const double latest = step_distribution(field_jitter, gpus, 0.5).mean;
  // Stages wait for their first passes longer than almost all are late: what is left is little more
  // than the latest of the 64 GPUs of the first stage. Five standard errors are 12 % of the delay
  // of all.
  const double error = 5.0 * slowest_sd(field_jitter.gpu_mean, gpus / 8) / std::sqrt(60.0);
  EXPECT_GT(played, first - error);
  EXPECT_LT(played, latest - error);
  RecordProperty("absorbed_percent", static_cast<int>(100.0 * (1.0 - played / latest)));
}

TEST(LateRanks, AreAFunctionOfSeedRankAndStep) {
  const auto step = [](std::uint32_t number) {
    return play_late(two_layers(), data_parallel(), number).step.step;
  };
  EXPECT_EQ(step(3), step(3));
  EXPECT_NE(step(3), step(4));
}

}  // namespace
}  // namespace cubicbench::sim
