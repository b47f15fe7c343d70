#include "sim/truth/instance_constants.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

Machine nominal() { return {.cluster = round_cluster(64), .stack = round_stack()}; }

TEST(InstanceConstants, NumberZeroIsNominalToTheBit) {
  EXPECT_EQ(machine_of_instance(nominal(), 0, 77), nominal());
}

TEST(InstanceConstants, StayWithinTheirSpreadAndFillIt) {
  constexpr int instances = 2000;
  for (const HiddenConstant& constant : hidden_constants()) {
    SCOPED_TRACE(constant.name);
    ASSERT_FALSE(constant.source.empty());
    ASSERT_LT(constant.factor_min, constant.factor_max);
    Machine machine = nominal();
    const double before = constant.of(machine);
    const double low =
        std::clamp(before * constant.factor_min, constant.legal_min, constant.legal_max);
    const double high =
        std::clamp(before * constant.factor_max, constant.legal_min, constant.legal_max);
    double least = high;
    double most = low;
    for (std::uint64_t seed = 0; seed < instances; ++seed) {
      machine = machine_of_instance(nominal(), 1, seed);
      const double value = constant.of(machine);
      EXPECT_GE(value, low);
      EXPECT_LE(value, high);
      least = std::min(least, value);
      most = std::max(most, value);
    }
    // 2,000 uniform draws leave 1 % of either end empty with probability 2e-9.
    EXPECT_LE(least, low + 0.01 * (high - low));
    EXPECT_GE(most, high - 0.01 * (high - low));
  }
}

TEST(InstanceConstants, NothingElseChanges) {
  Machine machine = machine_of_instance(nominal(), 5, 123);
  EXPECT_NE(machine, nominal());
  Machine untouched = nominal();
  for (const HiddenConstant& constant : hidden_constants()) {
    constant.of(machine) = constant.of(untouched);
  }
  EXPECT_EQ(machine, nominal());
}

TEST(InstanceConstants, AreClampedToWhatIsLegal) {
  Machine perfect = nominal();
  perfect.cluster.device.memory_efficiency = 1.0;
  perfect.stack.data_overlap = 1.0;
  perfect.stack.overlap_cost = 1.0;
  perfect.stack.fragmentation = 1.0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Machine machine = machine_of_instance(perfect, 1, seed);
    EXPECT_LE(machine.cluster.device.memory_efficiency, 1.0);
    EXPECT_LE(machine.stack.data_overlap, 1.0);
    EXPECT_LE(machine.stack.overlap_cost, 1.0);
    EXPECT_GE(machine.stack.fragmentation, 1.0);
  }
}

TEST(InstanceConstants, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const HiddenConstant& constant : hidden_constants()) {
    EXPECT_TRUE(names.insert(constant.name).second) << constant.name;
  }
}

}  // namespace
}  // namespace cubicbench::sim
