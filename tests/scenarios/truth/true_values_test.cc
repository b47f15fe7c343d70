// What TrueValues remembers must not show: its answers are those of Instance::true_value to the
// bit, whatever was asked before.
#include "scenarios/truth/true_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/readers/scenario_reader.h"
#include "tests/draws_asked.h"
#include "tests/scenarios/scenario_suite.h"

namespace cubicbench::scenarios {
namespace {

constexpr std::uint64_t truth_seed = 12;

std::uint64_t configurations() { return draws_asked(200); }

/// Equal bits, so that -0 is not 0.
bool same(const TrueValue& a, const TrueValue& b) {
  return a.reason == b.reason &&
         std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value);
}

class RememberedValues : public testing::TestWithParam<std::string> {
 protected:
  /// Asks both for configuration `drawn_`.
  void expect_same(const Instance& instance, TrueValues& values, const std::string& place) {
    const TrueValue wanted = instance.true_value(drawn_, workspace_);
    const TrueValue got = values.at(drawn_);
    EXPECT_TRUE(same(got, wanted)) << place << ", instance " << instance.number() << ": expected "
                                   << static_cast<int>(wanted.reason) << " " << wanted.value
                                   << ", got " << static_cast<int>(got.reason) << " " << got.value;
  }

  const Scenario scenario_ = read_scenario(GetParam());
  const SearchSpace& space_ = scenario_.space;
  Configuration drawn_ = Configuration(space_.size());
  sim::Workspace workspace_;
};

TEST_P(RememberedValues, OfStrangersAreThoseOfTheInstance) {
  const Instance instance(scenario_, 0);
  TrueValues values(instance);
  for (std::uint64_t draw = 0; draw < configurations(); ++draw) {
    space_.sample(truth_seed, draw, drawn_);
    expect_same(instance, values, "draw " + std::to_string(draw));
  }
}

TEST_P(RememberedValues, OfNeighboursAreThoseOfTheInstance) {
  const Instance instance(scenario_, 0);
  TrueValues values(instance);
  // Twice over each stretch: what is remembered of the first time must be that of the second.
  const std::uint64_t stretches = 8;
  const std::uint64_t length = std::min(configurations() / stretches + 1, space_.count());
  for (std::uint64_t stretch = 0; stretch < stretches; ++stretch) {
    const std::uint64_t begin = (space_.count() - length) / (stretches - 1) * stretch;
    for (std::uint64_t i = 0; i < 2 * length; ++i) {
      const std::uint64_t number = begin + i % length;
      space_.configuration_at(number, drawn_);
      expect_same(instance, values, "configuration " + std::to_string(number));
    }
  }
}

TEST_P(RememberedValues, OfTwoInstancesAskedInTurnDoNotMix) {
  const Instance nominal(scenario_, 0);
  const Instance drawn(scenario_, 3);
  TrueValues of_nominal(nominal);
  TrueValues of_drawn(drawn);
  for (std::uint64_t draw = 0; draw < configurations() / 4; ++draw) {
    space_.sample(truth_seed + 1, draw, drawn_);
    expect_same(nominal, of_nominal, "draw " + std::to_string(draw));
    expect_same(drawn, of_drawn, "draw " + std::to_string(draw));
  }
}

INSTANTIATE_TEST_SUITE_P(Library, RememberedValues, testing::ValuesIn(model_scenarios()),
                         name_in_suite);

}  // namespace
}  // namespace cubicbench::scenarios
