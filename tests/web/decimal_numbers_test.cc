#include "web/decimal_numbers.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "sim/base/philox.h"

namespace cubicbench::web {
namespace {

using Buffer = std::array<char, 400>;

std::string ours(double value) {
  Buffer buffer{};
  const auto end = shortest_decimal(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end.ptr};
}

std::string theirs(double value) {
  Buffer buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end.ptr};
}

/// Doubles of all magnitudes: any bits, whole numbers, short decimals and their neighbours.
double drawn(std::uint64_t number) {
  const std::uint64_t bits = sim::random_words({.seed = 11, .entity = number}).first;
  switch (number % 4) {
    case 0:
      return std::bit_cast<double>(bits);
    case 1:
      return static_cast<double>(bits >> (number % 64));
    case 2:
      return static_cast<double>(bits % 100'000) / std::array{1e1, 1e3, 1e7, 1e22}[bits >> 62];
    default:
      return std::nextafter(static_cast<double>(bits % 1'000) * 1e-3, number % 8 < 4 ? 0 : 1);
  }
}

TEST(DecimalNumbers, AreWhatTheLibraryWritesOfAMillionDoubles) {
  for (std::uint64_t number = 0; number < 1'000'000; ++number) {
    const double value = drawn(number);
    ASSERT_EQ(ours(value), theirs(value)) << number;
  }
}

TEST(DecimalNumbers, AreWhatTheLibraryWritesAtTheEndsOfTheRange) {
  using Limits = std::numeric_limits<double>;
  for (const double value :
       {0.0, -0.0, 1.0, 0.1, 1e22, 1e23, 123456789012345683968.0, 0.0001, 0.00001, 100000.0, 1e5,
        Limits::min(), Limits::max(), Limits::denorm_min(), Limits::infinity(), -Limits::infinity(),
        Limits::quiet_NaN(), 2.2250738585072011e-308, 9007199254740993.0}) {
    EXPECT_EQ(ours(value), theirs(value));
  }
}

TEST(DecimalNumbers, AreRoundedAsTheLibraryRoundsThem) {
  for (std::uint64_t number = 0; number < 20'000; ++number) {
    const double value = drawn(number);
    for (const auto format :
         {std::chars_format::fixed, std::chars_format::scientific, std::chars_format::general}) {
      Buffer here{};
      Buffer there{};
      const int digits = static_cast<int>(number % 9);
      const auto end =
          rounded_decimal(here.data(), here.data() + here.size(), value, format, digits);
      const auto end_there =
          std::to_chars(there.data(), there.data() + there.size(), value, format, digits);
      ASSERT_EQ(std::string_view(here.data(), end.ptr),
                std::string_view(there.data(), end_there.ptr))
          << number;
    }
  }
}

TEST(DecimalNumbers, SayWhereTheTextEndsAndWhatIsWrongAsTheLibraryDoes) {
  const std::vector<std::string> texts{
      "",     "-",     "1",      "-1.5",   "+1",    " 1",       ".5",
      "5.",   ".",     "1e5",    "1e",     "1e+",   "1e-3x",    "1.5E+2",
      "0x10", "1e400", "-1e400", "1e-400", "0e999", "00012",    "1.2.3",
      "1,5",  "--1",   "e5",     ".e5",    "1.e2",  "4.9e-324", "12345678901234567890"};
  for (const std::string& text : texts) {
    for (const auto format : {std::chars_format::general, std::chars_format::fixed}) {
      double here = 7.0;
      double there = 7.0;
      const char* const end = text.data() + text.size();
      const auto ours = read_decimal(text.data(), end, here, format);
      const auto theirs = std::from_chars(text.data(), end, there, format);
      EXPECT_EQ(ours.ptr - text.data(), theirs.ptr - text.data()) << text;
      EXPECT_EQ(ours.ec, theirs.ec) << text;
      EXPECT_EQ(here, there) << text;
    }
  }
}

TEST(DecimalNumbers, AreReadBackToTheSameBits) {
  for (std::uint64_t number = 0; number < 100'000; ++number) {
    const double value = drawn(number);
    if (!std::isfinite(value)) continue;
    const std::string text = theirs(value);
    double read = 0.0;
    read_decimal(text.data(), text.data() + text.size(), read, std::chars_format::general);
    ASSERT_EQ(std::bit_cast<std::uint64_t>(read), std::bit_cast<std::uint64_t>(value)) << text;
  }
}

TEST(DecimalNumbers, ThatDoNotFitAreNotWritten) {
  Buffer buffer{};
  const auto end = shortest_decimal(buffer.data(), buffer.data() + 3, 1.25);
  EXPECT_EQ(end.ec, std::errc::value_too_large);
  EXPECT_EQ(end.ptr, buffer.data() + 3);
}

}  // namespace
}  // namespace cubicbench::web
