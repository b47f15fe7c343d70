#include "search/cma_es/knob_coordinates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/search/small_spaces.h"

namespace cubicbench::search {
namespace {

using scenarios::Configuration;
using scenarios::inactive;
using testing::ElementsAre;

TEST(KnobCoordinates, NumbersHaveOneAndLabelsOneEach) {
  // 8 numbers; 5, 3 and 4 labels.
  const auto space = labelled();
  const KnobCoordinates coordinates(space);
  EXPECT_THAT(coordinates.levels(), ElementsAre(8, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2));
  EXPECT_THAT(coordinates.place_of({7, 3, 0, 2}, std::vector<double>(13, 0.5)),
              ElementsAre(1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0));
}

TEST(KnobCoordinates, TwoLabelsShareOneAndASingleValueHasNone) {
  const auto space = built({categorical("sharding", {2, 4}), ordinal("micro_batch", {3}),
                            ordinal("tensor_parallel", run_of(3))});
  const KnobCoordinates coordinates(space);
  EXPECT_THAT(coordinates.levels(), ElementsAre(2, 3));
  EXPECT_THAT(coordinates.place_of({1, 0, 1}, std::vector<double>(2)), ElementsAre(1.0, 0.5));
  EXPECT_EQ(coordinates.configuration_of(std::vector<double>{0.6, 0.2}), (Configuration{1, 0, 0}));
  EXPECT_EQ(coordinates.configuration_of(std::vector<double>{-9, 9}), (Configuration{0, 0, 2}));
}

TEST(KnobCoordinates, TheHighestLabelCounts) {
  const auto space = built({categorical("sharding", {0, 1, 2})});
  const KnobCoordinates coordinates(space);
  EXPECT_EQ(coordinates.configuration_of(std::vector<double>{-0.5, -0.1, -0.2}), Configuration{1});
  EXPECT_EQ(coordinates.configuration_of(std::vector<double>{1.2, 1.0, 3.0}), Configuration{2});
}

TEST(KnobCoordinates, PlacesOfConfigurationsLeadBack) {
  for (const auto& space : {conditional(), labelled(), box(), listed()}) {
    const KnobCoordinates coordinates(space);
    Configuration config(space.size());
    for (std::uint64_t number = 0; number < space.count(); ++number) {
      space.configuration_at(number, config);
      const auto place = coordinates.place_of(config, std::vector<double>(coordinates.size(), 0.9));
      ASSERT_EQ(coordinates.configuration_of(place), config);
    }
  }
}

TEST(KnobCoordinates, OfAnInactiveKnobStayAsTheyAre) {
  const auto space = conditional();
  const KnobCoordinates coordinates(space);
  const std::vector<double> otherwise{0.1, 0.2, 0.3, 0.4, 0.5};
  EXPECT_THAT(coordinates.place_of({3, 0, inactive, inactive, 0}, otherwise),
              ElementsAre(1.0, 0.0, 0.3, 0.4, 0.0));
}

}  // namespace
}  // namespace cubicbench::search
