#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scenarios/readers/scenario_reader.h"
#include "tests/scenarios/broken_file.h"

namespace cubicbench::scenarios {
namespace {

Scenario with(const char* set) {
  const std::vector<std::string> sets{set};
  return read_scenario("llama3-8b", sets);
}

TEST(DeviceMemory, IsThatOfTheDeviceUnlessTheClusterSaysOtherwise) {
  constexpr double gib = 1024.0 * 1024.0 * 1024.0;
  EXPECT_DOUBLE_EQ(read_scenario("llama3-8b").cluster.device.memory.value, 79.65 * gib);
  const Scenario small = with("cluster.memory_gib=40.5");
  EXPECT_DOUBLE_EQ(small.cluster.device.memory.value, 40.5 * gib);
  EXPECT_EQ(small.cluster.device.memory_bandwidth.value,
            read_scenario("llama3-8b").cluster.device.memory_bandwidth.value);
}

TEST(DeviceMemory, IsPartOfTheProblemAndNoOtherProblemWhereItIsTheDevices) {
  const std::string usual = read_scenario("llama3-8b").sha256;
  EXPECT_EQ(with("cluster.memory_gib=79.65").sha256, usual);
  EXPECT_NE(with("cluster.memory_gib=79.6").sha256, usual);
}

TEST(DeviceMemory, IsANumberAboveZero) {
  EXPECT_EQ(message_after("llama3-8b", "/cluster/memory_gib", "0"),
            "s.json#/cluster/memory_gib: expected a number in [0.1, 10000], got 0");
  EXPECT_EQ(message_after("llama3-8b", "/cluster/memory_gib", "\"40\""),
            "s.json#/cluster/memory_gib: expected a number in [0.1, 10000], got \"40\"");
  EXPECT_EQ(message_after("llama3-8b", "/cluster/memory_gi", "40"),
            "s.json#/cluster/memory_gi: unknown key; did you mean \"memory_gib\"?");
}

}  // namespace
}  // namespace cubicbench::scenarios
