#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "sim/base/slowest.h"
#include "sim/truth/noise_and_failures.h"
#include "tests/sim/base/slowest_sd.h"

namespace cubicbench::sim {
namespace {

constexpr int launches = 100'000;

RunLuck luck_of(std::int64_t nodes, int launch) {
  return draw_luck(field_run_noise, nodes,
                   {.seed = 5,
                    .purpose = Purpose::noise,
                    .entity = static_cast<std::uint64_t>(nodes),
                    .draw = static_cast<std::uint32_t>(launch)});
}

/// Standard deviation of the step time over launches, a second a step.
double sd_of_launches(std::int64_t nodes, double communication_share) {
  double sum = 0.0;
  double squares = 0.0;
  for (int i = 0; i < launches; ++i) {
    const double x = with_luck(Seconds{1.0}, Seconds{communication_share}, luck_of(nodes, i)).value;
    sum += x;
    squares += x * x;
  }
  const double mean = sum / launches;
  return std::sqrt(squares / launches - mean * mean);
}

TEST(RunNoise, OnOneNodeRunsSpreadAsPublished) {
  // The sd of one exponential is its mean; kurtosis 9 gives sqrt(8 / 4 / 100,000) = 0.45 % of it as
  // standard error, here four times.
  EXPECT_NEAR(4377.9 * sd_of_launches(1, 0.3), 53.0, 0.018 * 53.0);
}

TEST(RunNoise, SpreadGrowsFrom8To128To16384Gpus) {
  for (const double share : {0.0, 0.1, 0.4}) {
    SCOPED_TRACE(share);
    const double one = sd_of_launches(1, share);
    const double sixteen = sd_of_launches(16, share);
    const double many = sd_of_launches(2048, share);
    EXPECT_LT(1.1 * one, sixteen);
    EXPECT_LT(sixteen, many);
  }
  // Without traffic it is that of the slowest node.
  EXPECT_NEAR(sd_of_launches(2048, 0.0), slowest_sd(field_run_noise.node_mean, 2048), 2e-4);
}

TEST(RunNoise, SpreadGrowsWithTheShareOfTrafficBetweenNodes) {
  double before = 0.0;
  for (const double share : {0.0, 0.1, 0.2, 0.4, 0.8}) {
    const double sd = sd_of_launches(16, share);
    EXPECT_LT(1.01 * before, sd) << share;
    before = sd;
  }
  // A fair coin between 1 - share / 7 and 1 + share / 7 has sd share / 7; nodes add 1 % at 0.8.
  EXPECT_NEAR(before, 0.8 / 7.0, 0.05 * 0.8 / 7.0);
}

TEST(RunNoise, HalfOfAllRunsAreAtLeastNominalOnTheirNodes) {
  for (const std::int64_t nodes : {1, 16, 2048}) {
    int slower = 0;
    for (int i = 0; i < launches; ++i) {
      const RunLuck luck = luck_of(nodes, i);
      EXPECT_GT(luck.node_delay, -1.0);
      slower += luck.node_delay > 0.0 ? 1 : 0;
    }
    EXPECT_NEAR(slower, 0.5 * launches, 4.0 * std::sqrt(0.25 * launches)) << nodes;
  }
}

// The published evidence: two modes a third apart, CV 0.15 over ten launches.
TEST(RunNoise, TrafficHasTwoModesAThirdApart) {
  int slow = 0;
  int between = 0;
  for (int i = 0; i < launches; ++i) {
    const RunLuck luck = luck_of(2, i);
    const double traffic = with_luck(Seconds{1.0}, Seconds{1.0}, luck).value;
    slow += traffic > 1.0 ? 1 : 0;
    between += traffic > 0.95 && traffic < 1.05 ? 1 : 0;
    EXPECT_NEAR(std::abs(luck.network_delay), 1.0 / 7.0, 1e-15);
  }
  EXPECT_NEAR(slow, 0.5 * launches, 4.0 * std::sqrt(0.25 * launches) + 0.001 * launches);
  EXPECT_LT(between, 0.01 * launches);
  EXPECT_NEAR(
      (1.0 + network_delay(field_run_noise, true)) / (1.0 + network_delay(field_run_noise, false)),
      4.0 / 3.0, 1e-15);
  const double d = field_run_noise.slow_network_excess;
  const double q = field_run_noise.slow_network_probability;
  const double cv_of_ten = std::sqrt(10.0 / 9.0) * d * std::sqrt(q * (1.0 - q)) / (1.0 + q * d);
  EXPECT_NEAR(cv_of_ten, 0.15, 0.005);
}

TEST(RunNoise, OneNodeHasNoTrafficToSlow) {
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(luck_of(1, i).network_delay, 0.0);
  }
}

// Part of every recorded result: one draw a launch, its first word for nodes, its second for the
// network.
TEST(RunNoise, DrawsAreNamedByTheirLaunch) {
  for (std::uint32_t launch = 0; launch < 50; ++launch) {
    const Draw name{.seed = 1, .purpose = Purpose::noise, .entity = 2, .draw = launch};
    const RandomWords words = random_words(name);
    const double mean = field_run_noise.node_mean;
    EXPECT_EQ(draw_luck(field_run_noise, 16, name),
              (RunLuck{.node_delay = slowest_quantile(mean, 16, unit_interval(words.first)) -
                                     slowest_quantile(mean, 16, 0.5),
                       .network_delay =
                           network_delay(field_run_noise, unit_interval(words.second) < 0.5)}));
  }
}

TEST(RunNoise, NoneIsNone) {
  for (std::uint32_t i = 0; i < 100; ++i) {
    EXPECT_EQ(draw_luck(RunNoise{}, 2048, {.seed = 1, .purpose = Purpose::noise, .draw = i}),
              RunLuck{});
  }
  EXPECT_EQ(with_luck(Seconds{3.0}, Seconds{1.0}, RunLuck{}), Seconds{3.0});
}

}  // namespace
}  // namespace cubicbench::sim
