#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "scenarios/catalog.h"
#include "scenarios/readers/scenario_reader.h"
#include "scenarios/space/space_walk.h"

namespace cubicbench::scenarios {
namespace {

TEST(ChangingPlan, IsThatOfTheSpaceWhateverCameBefore) {
  for (const std::string& name : model_scenarios()) {
    SCOPED_TRACE(name);
    const Scenario scenario = read_scenario(name);
    ChangingPlan changing(scenario.space);
    Configuration configuration(scenario.space.size());
    sim::Plan plan;
    for (std::uint64_t i = 0; i < 300; ++i) {
      if (i % 3 == 0) {
        scenario.space.sample(7, i, configuration);
      } else {
        const std::uint64_t number = scenario.space.number_of(configuration) + 1;
        scenario.space.configuration_at(number % scenario.space.count(), configuration);
      }
      scenario.space.apply(configuration, plan);
      ASSERT_EQ(changing.of(configuration), plan) << "configuration " << i;
    }
  }
}

}  // namespace
}  // namespace cubicbench::scenarios
