#include "sim/engine/unit_pass.h"

#include <gtest/gtest.h>

namespace cubicbench::sim {
namespace {

/// Three units of 2 s whose gathers and scatters take 1 s each, on a device that does not slow
/// down.
PassCost three_units(const Plan& plan) {
  const Unit unit{
      .compute = Seconds{2.0}, .gather = Seconds{1.0}, .scatter = Seconds{1.0}, .copy = {}};
  const UnitPass pass{.units = 3.0, .unit = unit, .last = unit};
  return played_pass(pass, weight_schedule(Sharding::full_shard, plan).backward, 0.0);
}

TEST(PlayedPass, PrefetchedBeforeHidesAllButTheFirstGatherAndTheLastScatter) {
  // Gathers end at 1, 2, 5 s, scatters at 4, 6, 8 s; units at 3, 5, 7 s.
  const PassCost cost = three_units({.backward_prefetch = BackwardPrefetch::pre});
  EXPECT_DOUBLE_EQ(cost.pass.value, 1.0);
  EXPECT_DOUBLE_EQ(cost.behind.value, 1.0);
}

TEST(PlayedPass, PrefetchedBehindHidesScattersAndNoGather) {
  // Gathers end at 1, 4, 7 s, scatters at 5, 8, 10 s; units at 3, 6, 9 s.
  const PassCost cost = three_units({.backward_prefetch = BackwardPrefetch::post});
  EXPECT_DOUBLE_EQ(cost.pass.value, 3.0);
  EXPECT_DOUBLE_EQ(cost.behind.value, 1.0);
}

TEST(PlayedPass, WithoutPrefetchHidesNothing) {
  const PassCost cost = three_units({.backward_prefetch = BackwardPrefetch::none});
  EXPECT_DOUBLE_EQ(cost.pass.value, 6.0);
  EXPECT_DOUBLE_EQ(cost.behind.value, 0.0);
}

TEST(PlayedPass, OfWeightsThatWereKeptHasTheLastScatterBehindIt) {
  const PassCost cost = three_units({.reshard_after_forward = 0});
  EXPECT_DOUBLE_EQ(cost.pass.value, 0.0);
  EXPECT_DOUBLE_EQ(cost.behind.value, 1.0);
}

TEST(PlayedPass, CopiesFollowScattersOnAStreamOfTheirOwn) {
  // Gathers end at 1, 2, 5 s, scatters at 4, 6, 8 s and copies of 3 s at 7, 10, 13 s; units at 3,
  // 5, 7 s.
  const Unit unit{.compute = Seconds{2.0},
                  .gather = Seconds{1.0},
                  .scatter = Seconds{1.0},
                  .copy = Seconds{3.0}};
  const UnitPass pass{.units = 3.0, .unit = unit, .last = unit};
  const Plan plan{.backward_prefetch = BackwardPrefetch::pre};
  const PassCost cost =
      played_pass(pass, weight_schedule(Sharding::full_shard, plan).backward, 0.0);
  EXPECT_DOUBLE_EQ(cost.pass.value, 1.0);
  EXPECT_DOUBLE_EQ(cost.scattering.value, 1.0);
  EXPECT_DOUBLE_EQ(cost.behind.value, 6.0);
}

TEST(PlayedPass, ComputeAndAStreamSlowEachOtherDown) {
  // At half speed each. Gather 0 ends at 1 s. Gather 1 takes 2 s beside unit 0, half of which is
  // left then and ends at 4 s; scatter 0 takes 1 s beside unit 1, which ends at 6.5 s.
  const Unit unit{
      .compute = Seconds{2.0}, .gather = Seconds{1.0}, .scatter = Seconds{0.5}, .copy = {}};
  const UnitPass pass{.units = 2.0, .unit = unit, .last = unit};
  const Plan plan{.backward_prefetch = BackwardPrefetch::pre};
  const PassCost cost =
      played_pass(pass, weight_schedule(Sharding::full_shard, plan).backward, 1.0);
  EXPECT_DOUBLE_EQ(cost.pass.value, 2.5);
  EXPECT_DOUBLE_EQ(cost.behind.value, 0.5);
}

}  // namespace
}  // namespace cubicbench::sim
