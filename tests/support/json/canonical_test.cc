#include "support/json/canonical.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "support/json/strict_json.h"

namespace cubicbench::support {
namespace {

std::string canonical_of(const char* text) { return canonical(parse_json(text, "a.json")); }

TEST(Canonical, SortsKeysAndLeavesNoSpaces) {
  EXPECT_EQ(
      canonical_of(R"( {"b": [1, {"z": null, "a": true}], "B": {}, "": [ ], "é": "x", "a": -1} )"),
      R"({"":[],"B":{},"a":-1,"b":[1,{"a":true,"z":null}],"é":"x"})");
}

TEST(Canonical, WritesEqualNumbersAlike) {
  struct Case {
    const char* text;
    const char* expected;
  };
  for (const Case& c : {Case{"4", "4"},
                        Case{"4.0", "4"},
                        Case{"4e0", "4"},
                        Case{"400e-2", "4"},
                        Case{"0", "0"},
                        Case{"-0", "0"},
                        Case{"-0.0", "0"},
                        Case{"-3.0", "-3"},
                        Case{"0.1", "0.1"},
                        Case{"0.1000", "0.1"},
                        Case{"1e-7", "1e-07"},
                        Case{"1.5e300", "1.5e+300"},
                        Case{"1e18", "1000000000000000000"},
                        Case{"1000000000000000000", "1000000000000000000"},
                        Case{"9007199254740993", "9007199254740993"},
                        Case{"1e22", "1e+22"},
                        Case{"-9223372036854775808", "-9223372036854775808"},
                        Case{"-9223372036854775808.0", "-9223372036854775808"},
                        Case{"9223372036854775808.0", "9223372036854775808"},
                        Case{"18446744073709551615", "18446744073709551615"},
                        Case{"18446744073709551616.0", "18446744073709551616"}}) {
    EXPECT_EQ(canonical_of(c.text), c.expected) << c.text;
  }
}

TEST(Canonical, EscapesOnlyWhatMustBe) {
  EXPECT_EQ(canonical_of(R"("a\"\\\/\n\u001f\u007f\u00e9\ud83d\ude00")"),
            "\"a\\\"\\\\/\\u000a\\u001f\x7f\u00e9\U0001F600\"");
}

TEST(Canonical, DoesNotDependOnTheOrderOfKeys) {
  EXPECT_EQ(canonical_of(R"({"a": 1, "b": {"c": 2, "d": 3}})"),
            canonical_of(R"({"b": {"d": 3.0, "c": 2}, "a": 1.0})"));
}

// Every double, from subnormal to the largest, reads back to itself.
TEST(Shortest, ReadsBackToTheSameDouble) {
  std::uint64_t bits = 0x9e3779b97f4a7c15;
  for (int draw = 0; draw < 2000; ++draw) {
    bits = bits * 6364136223846793005ULL + 1442695040888963407ULL;
    const double value = std::bit_cast<double>(bits & ~(std::uint64_t{1} << 62));
    const std::string text = shortest(value);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(std::strtod(text.c_str(), nullptr)),
              std::bit_cast<std::uint64_t>(value))
        << text;
  }
  EXPECT_EQ(shortest(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(shortest(5e-324), "5e-324");
  EXPECT_EQ(shortest(1.7976931348623157e308), "1.7976931348623157e+308");
}

}  // namespace
}  // namespace cubicbench::support
