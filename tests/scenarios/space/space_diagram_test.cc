#include "scenarios/space/space_diagram.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace cubicbench::scenarios {
namespace {

/// Two values, each `layers` times; everything is allowed.
SpaceDiagram doublings(std::size_t layers) {
  SpaceDiagram diagram{.layers = {}};
  for (std::size_t i = 0; i < layers; ++i) {
    diagram.layers.push_back(
        {.parameter = i, .nodes = {{.edges = 2}}, .edges = {{.child = 0}, {.child = 0}}});
  }
  diagram.layers.push_back(SpaceDiagram::end(true));
  return diagram;
}

/// Parameter 1 first: its value 0 leads on with parameter 0 inactive, 1 nowhere, 2 to three values
/// of parameter 0 of which the second is rejected.
SpaceDiagram uneven() {
  constexpr std::uint32_t dead = SpaceDiagram::dead;
  return {.layers = {{.parameter = 1,
                      .nodes = {{.edges = 3}},
                      .edges = {{.child = 0}, {.child = dead}, {.child = 1}}},
                     {.parameter = 0,
                      .nodes = {{.edges = 1, .active = false}, {.edges_begin = 1, .edges = 3}},
                      .edges = {{.child = 0}, {.child = 0}, {.child = dead}, {.child = 0}}},
                     SpaceDiagram::end(true)}};
}

TEST(SpaceDiagram, CountsUpTo64Bits) {
  SpaceDiagram small = doublings(63);
  ASSERT_TRUE(small.count_backwards());
  EXPECT_EQ(small.count(), std::uint64_t{1} << 63);
  SpaceDiagram large = doublings(64);
  EXPECT_FALSE(large.count_backwards());
  const BuiltDiagram built = counted(doublings(64));
  EXPECT_EQ(built.problem,
            (SpaceProblem{"/parameters", "expected fewer than 2^64 configurations"}));
  EXPECT_EQ(built.diagram.count(), 1U);  // that of no parameter
  EXPECT_FALSE(counted(doublings(63)).problem.has_value());
}

TEST(SpaceDiagram, NumbersWhatIsAllowedAndNothingElse) {
  SpaceDiagram diagram = uneven();
  ASSERT_TRUE(diagram.count_backwards());
  const std::vector<Configuration> allowed{{inactive, 0}, {0, 2}, {2, 2}};
  ASSERT_EQ(diagram.count(), allowed.size());
  Configuration configuration(2);
  for (std::uint64_t number = 0; number < allowed.size(); ++number) {
    diagram.configuration_at(number, configuration);
    EXPECT_EQ(configuration, allowed[number]);
    EXPECT_EQ(diagram.number_of(configuration), number);
  }
  for (const Configuration& other :
       {Configuration{0, 0}, Configuration{0, 1}, Configuration{1, 2}, Configuration{inactive, 2},
        Configuration{3, 2}, Configuration{0, 3}, Configuration{0, inactive}}) {
    EXPECT_EQ(diagram.number_of(other), std::nullopt);
  }
}

TEST(SpaceDiagram, OfNoParameterHasOneConfigurationOrNone) {
  EXPECT_EQ(SpaceDiagram().parameters(), 0U);
  EXPECT_EQ(SpaceDiagram().number_of({}), std::uint64_t{0});
  const SpaceDiagram none{.layers = {SpaceDiagram::end(false)}};
  EXPECT_EQ(none.count(), 0U);
  EXPECT_EQ(none.number_of({}), std::nullopt);
}

}  // namespace
}  // namespace cubicbench::scenarios
