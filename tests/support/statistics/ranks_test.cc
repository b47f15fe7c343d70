#include "support/statistics/ranks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace cubicbench::support {
namespace {

using testing::ElementsAre;
using List = std::vector<double>;

TEST(Ranks, ShareTheirMean) {
  EXPECT_THAT(average_ranks(List{30, 10, 20, 10}), ElementsAre(4, 1.5, 3, 1.5));
  EXPECT_THAT(average_ranks(List{7, 7, 7}), ElementsAre(2, 2, 2));
  EXPECT_THAT(average_ranks(List{0.0, -0.0, -1.0}), ElementsAre(2.5, 2.5, 1));
  EXPECT_TRUE(average_ranks(List{}).empty());
}

}  // namespace
}  // namespace cubicbench::support
