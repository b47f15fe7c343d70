#include <gtest/gtest.h>

#include <cmath>

#include "sim/truth/noise_and_failures.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

constexpr double release_h = 365.0 * 24.0 / 6.0;

TEST(DriftModels, AreFoundByName) {
  ASSERT_NE(find_drift_model("none"), nullptr);
  EXPECT_EQ(*find_drift_model("none"), DriftModel{});
  ASSERT_NE(find_drift_model("assumed-releases"), nullptr);
  EXPECT_EQ(*find_drift_model("assumed-releases"), assumed_releases);
  EXPECT_EQ(find_drift_model("releases"), nullptr);
}

TEST(Drift, NoneNeverChangesAnything) {
  EXPECT_EQ(drift_progress(*find_drift_model("none"), 1e6, 3), 0.0);
  EXPECT_EQ(released(round_stack(), *find_drift_model("none"), 0.0), round_stack());
}

TEST(Drift, BeginsWithTodaysSoftware) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    EXPECT_EQ(drift_progress(assumed_releases, 0.0, seed), 0.0);
  }
  EXPECT_EQ(released(round_stack(), assumed_releases, 0.0), round_stack());
}

TEST(Drift, GoesByReleasesForAYear) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    double before = 0.0;
    int changes = 0;
    for (double hours = 0.0; hours < 3.0 * 365.0 * 24.0; hours += 24.0) {
      const double progress = drift_progress(assumed_releases, hours, seed);
      EXPECT_GE(progress, before);
      if (progress > before) {
        ++changes;
        EXPECT_NEAR(progress, changes / 6.0, 1e-12);
      }
      before = progress;
    }
    EXPECT_EQ(changes, 6);
    EXPECT_EQ(before, 1.0);
  }
}

TEST(Drift, MeetsAShortStudyAsOftenAsItIsLong) {
  // A tenth of the time between two releases sees one in a tenth of the cases.
  int met = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    met += drift_progress(assumed_releases, 0.1 * release_h, seed) > 0.0 ? 1 : 0;
  }
  EXPECT_NEAR(met / 2000.0, 0.1, 4.0 * std::sqrt(0.1 * 0.9 / 2000.0));
}

TEST(Drift, AReleaseActsOnKernelsHostAndOverlap) {
  Stack stack = round_stack();
  stack.gemm_factor = 0.8;
  stack.host_layer_forward = Seconds{1e-3};
  stack.overlap_cost = 0.9;
  const Stack later = released(stack, assumed_releases, 0.5);
  EXPECT_DOUBLE_EQ(later.gemm_factor, 0.8 * 1.0625);
  EXPECT_DOUBLE_EQ(later.host_layer_forward.value, 1e-3 * 0.875);
  EXPECT_DOUBLE_EQ(later.overlap_cost, 0.9 * (1.0 - 0.5 / 3.0));
  Stack same = later;
  same.gemm_factor = stack.gemm_factor;
  same.host_layer_forward = stack.host_layer_forward;
  same.overlap_cost = stack.overlap_cost;
  EXPECT_EQ(same, stack);
  stack.gemm_factor = 0.99;
  EXPECT_EQ(released(stack, assumed_releases, 1.0).gemm_factor, 1.0);
  stack.gemm_factor = 1.18;  // better than the device's curve: no release makes it worse
  EXPECT_EQ(released(stack, assumed_releases, 0.5).gemm_factor, 1.18);
}

}  // namespace
}  // namespace cubicbench::sim
