#include "sim/base/units.h"

#include <gtest/gtest.h>

#include <concepts>

namespace cubicbench::sim {
namespace {

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
  a < b;
};
template <class From, class To>
concept ConvertsTo = std::convertible_to<From, To>;

// The algebra of dimensions.
static_assert(std::same_as<decltype(Bytes{} / BytesPerSecond{}), Seconds>);
static_assert(std::same_as<decltype(Flops{} / Bytes{}), FlopsPerByte>);
static_assert(std::same_as<decltype(Flops{} / FlopsPerSecond{}), Seconds>);
static_assert(std::same_as<decltype(Bytes{} / Seconds{}), BytesPerSecond>);
static_assert(std::same_as<decltype(BytesPerSecond{} * Seconds{}), Bytes>);
static_assert(std::same_as<decltype(FlopsPerByte{} * BytesPerSecond{}), FlopsPerSecond>);
static_assert(std::same_as<decltype(Seconds{} / Seconds{}), double>);
static_assert(std::same_as<decltype(Seconds{} * (Flops{} / Seconds{}) / Flops{}), double>);
static_assert(std::same_as<decltype(2.0 * Seconds{}), Seconds>);
static_assert(std::same_as<decltype(Seconds{} / 2.0), Seconds>);

static_assert(Addable<Bytes, Bytes>);
static_assert(!Addable<Bytes, Seconds>);
static_assert(!Addable<Bytes, double>);
static_assert(!Addable<Bytes, BytesPerSecond>);
static_assert(Comparable<Seconds, Seconds>);
static_assert(!Comparable<Seconds, Bytes>);
static_assert(!ConvertsTo<double, Seconds>);
static_assert(!ConvertsTo<Seconds, double>);

// No size and no cost beyond the double.
static_assert(sizeof(Seconds) == sizeof(double));

TEST(Units, LiteralsAreInBaseUnits) {
  struct Case {
    const char* name;
    double value;
    double expected;
  };
  for (const Case& c :
       {Case{"second", (3_s).value, 3.0}, Case{"half a second", (0.5_s).value, 0.5},
        Case{"millisecond", (2_ms).value, 2e-3}, Case{"half a millisecond", (0.5_ms).value, 5e-4},
        Case{"microsecond", (4_us).value, 4e-6}, Case{"half a microsecond", (0.5_us).value, 5e-7},
        Case{"byte", (7_B).value, 7.0}, Case{"MiB = 2^20", (1_MiB).value, 1048576.0},
        Case{"GiB = 2^30", (80_GiB).value, 80.0 * 1073741824.0},
        Case{"GB = 10^9", (80_GB).value, 80e9}, Case{"GB/s", (450_GBps).value, 450e9},
        Case{"half a GB/s", (0.5_GBps).value, 5e8}, Case{"TFLOP/s", (989_TFLOPS).value, 989e12},
        Case{"half a TFLOP/s", (0.5_TFLOPS).value, 5e11}}) {
    SCOPED_TRACE(c.name);
    EXPECT_DOUBLE_EQ(c.value, c.expected);
  }
}

TEST(Units, ArithmeticFollowsTheNumbers) {
  EXPECT_EQ(900_GB / 450_GBps, 2_s);
  EXPECT_EQ(450_GBps * 2_s, 900_GB);
  EXPECT_EQ(3_s + 4_s, 7_s);
  EXPECT_EQ(3_s - 4_s, -(1_s));
  EXPECT_EQ(2.0 * 3_s, 6_s);
  EXPECT_EQ(3_s * 2.0, 6_s);
  EXPECT_EQ(3_s / 2.0, 1.5_s);
  EXPECT_EQ(6_s / 3_s, 2.0);
  Seconds sum = 1_s;
  sum += 4_s;
  sum -= 2_s;
  sum *= 3.0;
  EXPECT_EQ(sum, 9_s);
}

TEST(Units, OrderAndExtremes) {
  EXPECT_LT(1_s, 2_s);
  EXPECT_GT(1_s, 999_ms);
  EXPECT_EQ(max(1_s, 2_s), 2_s);
  EXPECT_EQ(min(1_s, 2_s), 1_s);
  EXPECT_EQ(Seconds{}, 0_s);
}

}  // namespace
}  // namespace cubicbench::sim
