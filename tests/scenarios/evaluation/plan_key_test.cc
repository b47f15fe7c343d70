#include "sim/plan/plan_key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "scenarios/readers/scenario_reader.h"
#include "scenarios/space/setting.h"

namespace cubicbench::scenarios {
namespace {

using sim::PlanKey;

/// Some legal codes of a setting, the smallest and the largest among them.
std::vector<std::int64_t> some_codes(const Setting& setting) {
  std::vector<std::int64_t> codes;
  for (std::int64_t i = 0; i < 12; ++i) codes.push_back(std::min(setting.min + i, setting.max));
  for (std::int64_t i = 3; i > 0; --i) codes.push_back(std::max(setting.max - i, setting.min));
  codes.push_back(setting.max);
  return codes;
}

TEST(PlanKey, TellsEverySettingOfTransformersApart) {
  for (const Setting& setting : settings()) {
    SCOPED_TRACE(setting.name);
    for (const std::int64_t a : some_codes(setting)) {
      for (const std::int64_t b : some_codes(setting)) {
        sim::Plan one;
        sim::Plan other;
        setting.apply(one, a);
        setting.apply(other, b);
        const bool alike = setting.owner == SettingOwner::recommendation || one == other;
        EXPECT_EQ(PlanKey(one) == PlanKey(other), alike) << a << " " << b;
      }
    }
  }
}

TEST(PlanKey, IsNeverThatOfNoPlan) { EXPECT_FALSE(PlanKey(sim::Plan{}) == PlanKey()); }

TEST(PlanKey, NeighboursOfASpaceSpreadOverTheRows) {
  const Scenario scenario = read_scenario("llama3-405b");
  constexpr std::uint64_t neighbours = 512;
  Configuration configuration(scenario.space.size());
  sim::Plan plan;
  std::set<std::uint64_t> rows;
  for (std::uint64_t i = 0; i < neighbours; ++i) {
    scenario.space.configuration_at(scenario.space.count() / 2 + i, configuration);
    scenario.space.apply(configuration, plan);
    rows.insert(PlanKey(plan).hash() >> 55);
  }
  // Of 512 rows, 1 - 1/e = 63 % are hit by as many random throws.
  EXPECT_GE(rows.size(), neighbours / 2);
}

}  // namespace
}  // namespace cubicbench::scenarios
