#include "sim/base/numeric.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "sim/base/philox.h"

namespace cubicbench::sim {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double smallest_normal = std::numeric_limits<double>::min();
constexpr double smallest_subnormal = std::numeric_limits<double>::denorm_min();
constexpr double largest = std::numeric_limits<double>::max();

/// Arguments tried per function and range; 10^7 in the full stage.
std::uint64_t argument_count() {
  const char* text = std::getenv("CUBICBENCH_NUMERIC_ARGUMENTS");
  return text == nullptr ? 100'000 : std::strtoull(text, nullptr, 10);
}

Draw draw_of(std::uint64_t range, std::uint64_t argument, std::uint32_t draw) {
  return {.seed = range, .purpose = Purpose::test, .entity = argument, .draw = draw};
}

double between(double low, double high, const Draw& draw) {
  return low + (high - low) * uniform(draw);
}

/// Positive and finite, every exponent as likely as another, subnormal numbers included.
double any_positive(const Draw& draw) {
  return std::bit_cast<double>(uniform_below(draw, std::bit_cast<std::uint64_t>(infinity) - 1) + 1);
}

/// Either sign, size between 2^-60 and 2^limit.
double any_size(int limit, const Draw& draw) {
  const RandomWords words = random_words(draw);
  const double size =
      std::ldexp(1.0 + unit_interval(words.first),
                 static_cast<int>(words.second % static_cast<unsigned>(60 + limit)) - 60);
  return (words.second >> 63) != 0 ? -size : size;
}

/// Distance in units in the last place of the exact result, a subnormal one's being 2^-1074.
/// Where the exact result is out of range only the right limit counts as no distance.
double ulp_error(double got, long double exact) {
  if (std::fabs(exact) >= 0x1.fffffffffffff8p1023L || std::isinf(got)) {
    return got == static_cast<double>(exact) ? 0.0 : infinity;
  }
  const int exponent = exact == 0.0L ? -1022 : std::max(std::ilogb(exact), -1022);
  return static_cast<double>(
      std::fabs(std::ldexp(static_cast<long double>(got) - exact, 52 - exponent)));
}

struct Worst {
  double error = 0.0;
  double x = 0.0;
  double y = 0.0;

  void see(double seen, double at_x, double at_y = 0.0) {
    if (!(seen <= error)) {
      *this = {seen, at_x, at_y};
    }
  }
};

/// Errors above 0.6 would not break the contract of 2, yet say that an exact step is not exact.
void expect_accurate(const char* what, const Worst& worst, double limit = 0.6) {
  ::testing::Test::RecordProperty(std::string("ulp_") + what, std::to_string(worst.error));
  std::printf("  %-28s at most %.4f ulp, at %a %a\n", what, worst.error, worst.x, worst.y);
  EXPECT_LE(worst.error, limit) << what << " at " << worst.x << ", " << worst.y;
}

template <class Argument>
void check_function(const char* what, double (*function)(double), long double (*exact)(long double),
                    Argument argument, double limit = 0.6) {
  Worst worst;
  for (std::uint64_t i = 0; i < argument_count(); ++i) {
    const double x = argument(i);
    worst.see(ulp_error(function(x), exact(x)), x);
  }
  expect_accurate(what, worst, limit);
}

TEST(NumericAccuracy, Exp2) {
  check_function("exp2 normal", exp2, std::exp2,
                 [](auto i) { return between(-1022.0, 1024.0, draw_of(1, i, 0)); });
  check_function("exp2 near zero", exp2, std::exp2,
                 [](auto i) { return any_size(4, draw_of(2, i, 0)); });
  check_function(
      "exp2 subnormal", exp2, std::exp2,
      [](auto i) { return between(-1076.0, -1022.0, draw_of(3, i, 0)); }, 1.0);
}

TEST(NumericAccuracy, Exp) {
  check_function("exp normal", exp, std::exp,
                 [](auto i) { return between(-708.39, 709.79, draw_of(4, i, 0)); });
  check_function("exp near zero", exp, std::exp,
                 [](auto i) { return any_size(4, draw_of(5, i, 0)); });
  check_function(
      "exp subnormal", exp, std::exp,
      [](auto i) { return between(-746.0, -708.39, draw_of(6, i, 0)); }, 1.0);
}

TEST(NumericAccuracy, Log2) {
  check_function("log2 all", log2, std::log2,
                 [](auto i) { return any_positive(draw_of(7, i, 0)); });
  check_function("log2 near one", log2, std::log2,
                 [](auto i) { return between(0.7, 1.42, draw_of(8, i, 0)); });
  check_function("log2 next to one", log2, std::log2,
                 [](auto i) { return 1.0 + any_size(-4, draw_of(9, i, 0)); });
}

TEST(NumericAccuracy, Log) {
  check_function("log all", log, std::log, [](auto i) { return any_positive(draw_of(10, i, 0)); });
  check_function("log near one", log, std::log,
                 [](auto i) { return between(0.7, 1.42, draw_of(11, i, 0)); });
  check_function("log next to one", log, std::log,
                 [](auto i) { return 1.0 + any_size(-4, draw_of(12, i, 0)); });
}

template <class Base, class Power>
void check_pow(const char* what, Base base, Power power, double limit = 0.6) {
  Worst worst;
  for (std::uint64_t i = 0; i < argument_count(); ++i) {
    const double x = base(i);
    const double y = power(i, x);
    const long double exact = std::pow(static_cast<long double>(x), static_cast<long double>(y));
    worst.see(ulp_error(pow(x, y), exact), x, y);
  }
  expect_accurate(what, worst, limit);
}

TEST(NumericAccuracy, Pow) {
  const auto reaching = [](std::uint64_t range, double low, double high) {
    return [=](std::uint64_t i, double x) {
      return between(low, high, draw_of(range, i, 1)) / std::log2(x == 1.0 ? 2.0 : x);
    };
  };
  check_pow(
      "pow all", [](auto i) { return any_positive(draw_of(13, i, 0)); },
      reaching(13, -1022.0, 1024.0));
  check_pow(
      "pow near one", [](auto i) { return between(0.7, 1.42, draw_of(14, i, 0)); },
      reaching(14, -1022.0, 1024.0));
  check_pow(
      "pow next to one", [](auto i) { return 1.0 + any_size(-4, draw_of(15, i, 0)); },
      reaching(15, -1022.0, 1024.0));
  check_pow(
      "pow moderate", [](auto i) { return between(0.0, 100.0, draw_of(16, i, 0)); },
      [](auto i, double) { return between(-5.0, 5.0, draw_of(16, i, 1)); });
  check_pow(
      "pow negative base", [](auto i) { return -between(0.0, 100.0, draw_of(17, i, 0)); },
      [](auto i, double) { return std::round(between(-9.0, 9.0, draw_of(17, i, 1))); });
  check_pow(
      "pow subnormal", [](auto i) { return any_positive(draw_of(18, i, 0)); },
      reaching(18, -1076.0, -1022.0), 1.0);
}

void expect_same(double got, double expected) {
  if (std::isnan(expected)) {
    EXPECT_TRUE(std::isnan(got)) << got;
  } else {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(got), std::bit_cast<std::uint64_t>(expected))
        << got << ", expected " << expected;
  }
}

TEST(NumericSpecialCases, Exponentials) {
  struct Case {
    double x, exp2, exp;
  };
  for (const Case& c :
       {Case{0.0, 1.0, 1.0}, Case{-0.0, 1.0, 1.0}, Case{infinity, infinity, infinity},
        Case{-infinity, 0.0, 0.0}, Case{not_a_number, not_a_number, not_a_number},
        Case{largest, infinity, infinity}, Case{-largest, 0.0, 0.0},
        Case{1024.0, infinity, infinity}, Case{-1080.0, 0.0, 0.0},
        Case{smallest_subnormal, 1.0, 1.0}, Case{-smallest_normal, 1.0, 1.0}}) {
    SCOPED_TRACE(c.x);
    expect_same(exp2(c.x), c.exp2);
    expect_same(exp(c.x), c.exp);
  }
}

TEST(NumericSpecialCases, RangeEdges) {
  expect_same(exp2(-1074.0), smallest_subnormal);
  expect_same(exp2(-1075.0), 0.0);  // half the smallest number, a tie, goes to even
  expect_same(exp2(-1074.999), smallest_subnormal);
  expect_same(exp2(-1022.0), smallest_normal);
  // 2^(1024 - 2^-43) = 2^1024 (1 - ln(2) 2^-43): 2^10 ln 2 = 709.8 units of 2^-53 below
  expect_same(exp2(std::nextafter(1024.0, 0.0)), (0x1p53 - 710.0) * 0x1p971);
  expect_same(exp(0x1.62e42fefa39efp+9), 0x1.fffffffffff2ap1023);  // the last finite one
  expect_same(exp(0x1.62e42fefa39f0p+9), infinity);
  expect_same(exp(-745.13), smallest_subnormal);
  expect_same(exp(-745.14), 0.0);
  expect_same(log2(smallest_subnormal), -1074.0);
  expect_same(log2(smallest_normal), -1022.0);
  expect_same(log2(largest), 1024.0);
}

TEST(NumericSpecialCases, Logarithms) {
  struct Case {
    double x, expected;
  };
  for (const Case& c :
       {Case{1.0, 0.0}, Case{0.0, -infinity}, Case{-0.0, -infinity}, Case{infinity, infinity},
        Case{-infinity, not_a_number}, Case{-1.0, not_a_number},
        Case{-smallest_subnormal, not_a_number}, Case{not_a_number, not_a_number}}) {
    SCOPED_TRACE(c.x);
    expect_same(log2(c.x), c.expected);
    expect_same(log(c.x), c.expected);
  }
}

/// Every pair of these against the C library, which follows C Annex F, and is exact or out of
/// range for each.
TEST(NumericSpecialCases, PowAgreesWithAnnexF) {
  const double values[] = {
      0.0,    1.0,       2.0, 3.0, 4.0, 0.5, 0.25, 1e300, largest, infinity, smallest_subnormal,
      0x1p53, 0x1p53 - 1};
  for (const double x_size : values) {
    for (const double y_size : values) {
      for (const double x : {x_size, -x_size}) {
        for (const double y : {y_size, -y_size}) {
          SCOPED_TRACE(testing::Message() << "pow(" << x << ", " << y << ")");
          const double expected = std::pow(x, y);
          const double got = pow(x, y);
          if (std::isfinite(expected) && expected != 0.0) {
            EXPECT_LE(
                ulp_error(got, std::pow(static_cast<long double>(x), static_cast<long double>(y))),
                0.6);
          } else {
            expect_same(got, expected);
          }
        }
      }
    }
  }
  for (const double other : {0.0, 1.0, -1.0, infinity, -infinity, 2.5, not_a_number}) {
    SCOPED_TRACE(other);
    expect_same(pow(1.0, other), 1.0);
    expect_same(pow(other, 0.0), 1.0);
    expect_same(pow(not_a_number, other), other == 0.0 ? 1.0 : not_a_number);
    expect_same(pow(other, not_a_number), other == 1.0 ? 1.0 : not_a_number);
  }
}

TEST(NumericExact, PowersOfTwoAndTheirLogarithms) {
  for (int n = -1074; n <= 1023; ++n) {
    const double power = std::ldexp(1.0, n);
    ASSERT_EQ(exp2(n), power);
    ASSERT_EQ(log2(power), n);
    ASSERT_EQ(pow(2.0, n), power);
  }
}

TEST(NumericExact, IntegerPowersThatFitADouble) {
  for (int base = 2; base <= 200; ++base) {
    double product = 1.0;
    for (int n = 1; product * base < 0x1p53; ++n) {
      product *= base;
      ASSERT_EQ(pow(base, n), product) << base << "^" << n;
      ASSERT_EQ(pow(-base, n), n % 2 == 0 ? product : -product) << base << "^" << n;
    }
  }
  for (int base = 0; base <= 10'000; ++base) {
    ASSERT_EQ(pow(static_cast<double>(base) * base, 0.5), base);
    ASSERT_EQ(pow(base, 1.0), base);
  }
}

TEST(NumericLaws, InversesMeetAndPowersMultiply) {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const double x = between(-300.0, 300.0, draw_of(20, i, 0));
    SCOPED_TRACE(x);
    EXPECT_NEAR(log2(exp2(x)), x, 1e-13);
    EXPECT_NEAR(log(exp(x)), x, 1e-13);
    EXPECT_NEAR(exp2(x) * exp2(-x), 1.0, 1e-15);
    EXPECT_NEAR(pow(exp2(x), 0.5) / exp2(x / 2), 1.0, 1e-14);
  }
}

}  // namespace
}  // namespace cubicbench::sim
