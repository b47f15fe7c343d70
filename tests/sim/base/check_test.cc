#include "sim/base/check.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>

#include "sim/base/units.h"

namespace cubicbench::sim {
namespace {

enum class LinkId : std::uint32_t {};
using SimTime = std::chrono::duration<std::int64_t, std::pico>;

TEST(SimAssert, HoldingConditionsDoNothingAndDoNotEvaluateTheValues) {
  int evaluations = 0;
  const auto counted = [&] { return ++evaluations; };
  SIM_ASSERT(2 > 1);
  SIM_ASSERT(2 > 1, counted(), counted());
  EXPECT_EQ(evaluations, 0);
}

TEST(SimAssert, EvaluatesTheConditionOnce) {
  int evaluations = 0;
  SIM_ASSERT(++evaluations == 1, evaluations);
  EXPECT_EQ(evaluations, 1);
}

TEST(SimAssert, FitsWhereAStatementFits) {
  bool other = false;
  if (other)
    SIM_ASSERT(false);
  else
    other = true;
  EXPECT_TRUE(other);
}

constexpr int half(int even) {
  SIM_ASSERT(even % 2 == 0, even);
  return even / 2;
}
static_assert(half(6) == 3);

TEST(SimAssertDeathTest, PrintsPlaceConditionNamesAndValues) {
  const double finish = 1.5;
  const int start = 2;
  EXPECT_DEATH(SIM_ASSERT(finish >= start, finish, start),
               "check_test\\.cc:[0-9]+: broken invariant: finish >= start, "
               "where finish, start = 1\\.5, 2\n");
  EXPECT_DEATH(SIM_ASSERT(start == 3), "broken invariant: start == 3\n");
}

TEST(AssertedValue, ShowsEveryKindOfValue) {
  struct Case {
    const char* name;
    AssertedValue value;
    std::string text;
  };
  const std::string letters = "ring";
  for (const Case& c :
       {Case{"all digits of a number", 0.1, "0.1"}, Case{"a sum", 0.1 + 0.2, "0.30000000000000004"},
        Case{"infinity", std::numeric_limits<double>::infinity(), "inf"},
        Case{"bool", true, "true"},
        Case{"smallest integer", std::numeric_limits<std::int64_t>::min(), "-9223372036854775808"},
        Case{"largest integer", std::numeric_limits<std::uint64_t>::max(), "18446744073709551615"},
        Case{"id", LinkId{7}, "7"}, Case{"quantity", 80_GB, "8e+10"},
        Case{"time", SimTime{-3}, "-3"}, Case{"text", letters, "ring"},
        Case{"literal", "tree", "tree"}}) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(c.value.text(), c.text);
  }
}

}  // namespace
}  // namespace cubicbench::sim
