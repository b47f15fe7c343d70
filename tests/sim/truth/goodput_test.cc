#include "sim/truth/goodput.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

constexpr double hour_s = 3600.0;

double sum(const TimeShares& shares) {
  return shares.steps + shares.checkpoints + shares.repeated + shares.restarts;
}

TEST(Goodput, WithoutFailuresCheckpointsAloneTakeTime) {
  const TimeShares shares = time_shares({.checkpoint = 10_s}, 90_s);
  EXPECT_DOUBLE_EQ(shares.steps, 0.9);
  EXPECT_DOUBLE_EQ(shares.checkpoints, 0.1);
  EXPECT_EQ(shares.repeated, 0.0);
  EXPECT_EQ(shares.restarts, 0.0);
}

/// The same run, failure by failure: steps that count over the time of `cycles` intervals.
double played(const LongRun& run, Seconds interval, int cycles) {
  std::mt19937_64 random(1);
  std::exponential_distribution<double> failure(run.failures_per_s);
  double now = 0.0;
  double next = failure(random);
  // What must pass without a failure, behind one: the restart, and what was being written.
  const double again = run.restart.value + run.written.value;
  const auto pass = [&](double time) {
    const bool held = now + time <= next;
    now = held ? now + time : next;
    if (!held) next = now + failure(random);
    return held;
  };
  const auto begin_again = [&] {
    while (!pass(again)) {
    }
  };
  for (int cycle = 0; cycle < cycles; ++cycle) {
    while (!pass((interval + run.checkpoint).value)) begin_again();
  }
  return cycles * interval.value / now;
}

TEST(Goodput, IsWhatAPlayedRunReaches) {
  const LongRun run{
      .failures_per_s = 1.0 / hour_s, .restart = 300_s, .checkpoint = 20_s, .written = 60_s};
  for (const double minutes : {2.0, 10.0, 60.0}) {
    const Seconds interval{60.0 * minutes};
    EXPECT_NEAR(time_shares(run, interval).steps, played(run, interval, 200'000), 0.004) << minutes;
  }
}

// A failure an hour, 10 min of restarts: 1 - e^(-1/6) of the time; steps of 30 min and a checkpoint
// of 2 take e^(1/6) (e^(32/60) - 1) h.
TEST(Goodput, SharesByHand) {
  const LongRun run{.failures_per_s = 1.0 / hour_s, .restart = 600_s, .checkpoint = 120_s};
  const TimeShares shares = time_shares(run, 1800_s);
  const double taken_h = std::exp(1.0 / 6.0) * (std::exp(32.0 / 60.0) - 1.0);
  EXPECT_NEAR(shares.steps, 0.5 / taken_h, 1e-12);
  EXPECT_NEAR(shares.checkpoints, 2.0 / 60.0 / taken_h, 1e-12);
  EXPECT_NEAR(shares.restarts, 1.0 - std::exp(-1.0 / 6.0), 1e-12);
  EXPECT_GT(shares.repeated, 0.0);
  EXPECT_NEAR(sum(shares), 1.0, 1e-12);
}

TEST(Goodput, RareFailuresLoseHalfAnIntervalEach) {
  const double rate = 1e-9;
  const TimeShares shares = time_shares({.failures_per_s = rate, .written = 50_s}, 1000_s);
  EXPECT_NEAR(shares.repeated, rate * (500.0 + 50.0), 1e-3 * rate * 550.0);
}

TEST(Goodput, TheBestIntervalBeatsItsNeighboursAndIsYoungsWhereFailuresAreRare) {
  for (const double mean_h : {0.5, 3.0, 50.0, 5000.0}) {
    const LongRun run{
        .failures_per_s = 1.0 / (mean_h * hour_s), .restart = 300_s, .checkpoint = 30_s};
    const Seconds best = best_interval(run);
    const double steps = time_shares(run, best).steps;
    EXPECT_GT(steps, time_shares(run, 0.9 * best).steps) << mean_h;
    EXPECT_GT(steps, time_shares(run, 1.1 * best).steps) << mean_h;
    const double young = std::sqrt(2.0 * 30.0 * mean_h * hour_s);
    EXPECT_LT(best.value, young);  // without a failure in the checkpoint itself
    EXPECT_NEAR(best.value, young, mean_h > 1000.0 ? 0.01 * young : 0.3 * young) << mean_h;
  }
}

TEST(Goodput, ACheckpointIsWrittenBeforeTheNext) {
  const LongRun run{.failures_per_s = 1.0 / hour_s, .checkpoint = 0_s, .written = 400_s};
  EXPECT_EQ(best_interval(run), 400_s);
}

// Erlang's formula: a one place, a^2 / 2 over 1 + a + a^2 / 2 for two.
TEST(Goodput, NodesAreWaitedForAsErlangSays) {
  EXPECT_DOUBLE_EQ(waiting_share(2.0, 0), 2.0 / 3.0);
  EXPECT_DOUBLE_EQ(waiting_share(2.0, 1), 2.0 / 5.0);
  EXPECT_EQ(waiting_share(0.0, 3), 0.0);
  EXPECT_LT(waiting_share(6.0, 20), 1e-5);
}

TEST(Goodput, ACheckpointHoldsWeightsAndTheirStateOnce) {
  const Transformer model = llama_8b();
  Plan plan{};
  plan.optimizer = Optimizer::adamw;
  EXPECT_DOUBLE_EQ(checkpoint_bytes(model, plan).value, 12.0 * total_parameters(model));
  plan.optimizer = Optimizer::sgd;
  EXPECT_DOUBLE_EQ(checkpoint_bytes(model, plan).value, 4.0 * total_parameters(model));
  Transformer adapted = model;
  adapted.adapters.rank = 16;
  plan.optimizer = Optimizer::adamw;
  EXPECT_DOUBLE_EQ(checkpoint_bytes(adapted, plan).value,
                   12.0 * 32.0 * adapter_parameters(adapted));
}

// Two tables of 1,000 rows of 64 numbers in 4 bytes, with 4 bytes of state a row.
TEST(Goodput, ACheckpointHoldsTablesWithTheirState) {
  Recommendation model;
  model.tables = {{.tables = 2, .rows = 1000, .dim = 64, .element_bytes = 4}};
  model.dense = Mlp{.widths = {8}};
  model.over = Mlp{.widths = {1}};
  Plan plan{};
  plan.optimizer = Optimizer::sgd;
  plan.embedding_optimizer = Optimizer::rowwise_adagrad;
  const double dense = 4.0 * dense_parameters(model);
  EXPECT_DOUBLE_EQ(checkpoint_bytes(model, plan).value - dense, 2.0 * 1000.0 * (256.0 + 4.0));
}

}  // namespace
}  // namespace cubicbench::sim
