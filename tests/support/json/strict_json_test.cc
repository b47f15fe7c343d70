#include "support/json/strict_json.h"

#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "support/input_error.h"
#include "support/json/canonical.h"

namespace cubicbench::support {
namespace {

using namespace std::string_view_literals;

/// The message that `text` is refused with, or "accepted".
std::string refusal(std::string_view text) {
  try {
    parse_json(text, "a.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string repeated(std::string_view piece, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += piece;
  return text;
}

TEST(StrictJson, KeepsOrderAndTellsIntegersFromFloats) {
  const auto json = parse_json(
      R"({"z": 4, "a": 4.0, "m": [1e3, -7, true, null, "x\u00e9\n"], "o": {}, "big": 18446744073709551615})",
      "a.json");
  EXPECT_EQ(
      json.dump(),
      R"({"z":4,"a":4.0,"m":[1000.0,-7,true,null,"xé\n"],"o":{},"big":18446744073709551615})");
  EXPECT_TRUE(json["z"].is_number_integer());
  EXPECT_TRUE(json["a"].is_number_float());
  EXPECT_TRUE(json["m"][0].is_number_float());
  EXPECT_TRUE(json["m"][1].is_number_integer());
  EXPECT_TRUE(json["big"].is_number_unsigned());
}

TEST(StrictJson, AcceptsAnyDocument) {
  for (const char* text : {"1", " -0.5e-3 ", "\"x\"", "null", "[]", "{}", "\r\n\t[ ]\n",
                           R"({"a":{"a":{"a":[{"a":1},{"a":1}]}}})", R"("\ud83d\ude00")"}) {
    EXPECT_EQ(refusal(text), "accepted") << text;
  }
}

TEST(StrictJson, RefusesBrokenTextWithThePlaceAndTheReason) {
  struct Case {
    std::string_view text;
    const char* message;
  };
  const Case cases[] = {
      {"", "a.json:1:1: expected a JSON document, got an empty file"},
      {" \n\t ", "a.json:1:1: expected a JSON document, got an empty file"},
      {"\xef\xbb\xbf{}", "a.json:1:1: expected JSON without a byte order mark, got one"},
      {"{}\0{}"sv, "a.json:1:3: expected JSON text, got the byte 0x00"},
      {"[\"\xff\"]", "a.json:1:3: expected UTF-8, got the byte 0xff"},
      {"[\"\xc0\xaf\"]", "a.json:1:3: expected UTF-8, got the byte 0xc0"},
      {"[\"\xed\xa0\x80\"]", "a.json:1:3: expected UTF-8, got the byte 0xed"},
      {"[\"\xe2\x82\"]", "a.json:1:3: expected UTF-8, got the byte 0xe2"},
      {"[\"\xf4\x90\x80\x80\"]", "a.json:1:3: expected UTF-8, got the byte 0xf4"},
      {"\xa0", "a.json:1:1: expected UTF-8, got the byte 0xa0"},
      {"\xc2\xa0[]", "a.json:1:1: expected a value, got \xc2\xa0"},
      {"[1, 2", "a.json:1:6: expected a comma or ], got the end of the file"},
      {"[1, 2}", "a.json:1:6: expected a comma or ], got }"},
      {"[1 2]", "a.json:1:4: expected a comma or ], got 2"},
      {"[1, ]", "a.json:1:5: expected a value, got ]"},
      {"[,1]", "a.json:1:2: expected a value or ], got ,"},
      {"[", "a.json:1:2: expected a value or ], got the end of the file"},
      {"]", "a.json:1:1: expected a value, got ]"},
      {"{", "a.json:1:2: expected a key in quotes or }, got the end of the file"},
      {"{1: 2}", "a.json:1:2: expected a key in quotes or }, got 1"},
      {"{a: 2}", "a.json:1:2: expected a key in quotes or }, got a"},
      {"{'a': 2}", "a.json:1:2: expected a key in quotes or }, got 'a'"},
      {"{\"a\" 2}", "a.json:1:6: expected a colon, got 2"},
      {"{\"a\" \"b\"}", "a.json:1:6: expected a colon, got \"b\""},
      {"{\"a\":}", "a.json:1:6: expected a value, got }"},
      {"{\"a\": 1,\n \"b\": 2,\n}", "a.json:3:1: expected a key in quotes, got }"},
      {"{\"a\": 1\n \"b\": 2}", "a.json:2:2: expected a comma or }, got \"b\""},
      {"{\"a\": [1, {\"b\": }]}", "a.json:1:17: expected a value, got }"},
      {"{} x", "a.json:1:4: expected the end of the file, got x"},
      {"{}\n{}", "a.json:2:1: expected the end of the file, got {"},
      {"1 2", "a.json:1:3: expected the end of the file, got 2"},
      {"[NaN]", "a.json:1:2: expected a value or ], got NaN"},
      {"{\"a\": NaN}", "a.json:1:7: expected a value, got NaN"},
      {"{\"a\": Infinity}", "a.json:1:7: expected a value, got Infinity"},
      {"{\"a\": -Infinity}", "a.json:1:7: expected a value, got -Infinity"},
      {"{\"a\": nul}", "a.json:1:7: expected a value, got nul"},
      {"{\"a\": True}", "a.json:1:7: expected a value, got True"},
      {"{\"a\": 01}", "a.json:1:8: expected a comma or }, got 1"},
      {"[00]", "a.json:1:3: expected a comma or ], got 0"},
      {"[-01]", "a.json:1:4: expected a comma or ], got 1"},
      {"[0.00", "a.json:1:6: expected a comma or ], got the end of the file"},
      {"[0", "a.json:1:3: expected a comma or ], got the end of the file"},
      {"{\"a\": +1}", "a.json:1:7: expected a value, got +1"},
      {"{\"a\": .5}", "a.json:1:7: expected a value, got .5"},
      {"{\"a\": 5.}", "a.json:1:7: expected a value, got 5."},
      {"{\"a\": 5e}", "a.json:1:7: expected a value, got 5e"},
      {"{\"a\": 0x10}", "a.json:1:8: expected a comma or }, got x10"},
      {"{\"a\": 16k}", "a.json:1:9: expected a comma or }, got k"},
      {"{\"a\": -}", "a.json:1:7: expected a value, got -"},
      {"// note\n{}", "a.json:1:1: expected a value, got //"},
      {"{} /* note */", "a.json:1:4: expected the end of the file, got /*"},
      {"[\"abc", "a.json:1:6: expected a closing quote, got the end of the file"},
      {"[\"abc\n\"]", "a.json:1:6: expected a closing quote, got a line break"},
      {"{\"a\tb\": 1}", "a.json:1:4: expected no control character, got the byte 0x09"},
      {"[\"\x1b[31m\"]", "a.json:1:3: expected no control character, got the byte 0x1b"},
      {"[\"a\\x41\"]", "a.json:1:4: expected an escape such as \\n or \\u00e9, got \\x"},
      {"[\"\\u12g4\"]", "a.json:1:3: expected an escape such as \\n or \\u00e9, got \\u12g"},
      {"[\"\\ud800\"]", "a.json:1:3: expected an escape such as \\n or \\u00e9, got \\ud800\""},
      {"[\"\\ud800\\u0041\"]",
       "a.json:1:3: expected an escape such as \\n or \\u00e9, got \\ud800\\u0041"},
      {"[\"\\udc00\"]", "a.json:1:3: expected an escape such as \\n or \\u00e9, got \\udc00"},
      {"[\"a\\", "a.json:1:5: expected a closing quote, got the end of the file"},
  };
  for (const Case& c : cases) EXPECT_EQ(refusal(c.text), c.message) << c.text;
}

TEST(StrictJson, RefusesKeysThatAreThereTwice) {
  EXPECT_EQ(refusal(R"({"a": 1, "b": 2, "a": 3})"),
            "a.json#/a: expected each key once, got it again");
  EXPECT_EQ(refusal(R"({"a": 1, "\u0061": 3})"), "a.json#/a: expected each key once, got it again");
  EXPECT_EQ(refusal(R"({"l": [1, {"x/y~": {"k": 1, "k": {}}}, {"": 1, "": 2, "": 3}]})"),
            "a.json#/l/1/x~1y~0/k: expected each key once, got it again\n"
            "a.json#/l/2/: expected each key once, got it again\n"
            "a.json#/l/2/: expected each key once, got it again");
}

TEST(StrictJson, RefusesNumbersThatDoNotFit) {
  EXPECT_EQ(refusal(R"({"a": 1e308, "b": -9223372036854775808})"), "accepted");
  EXPECT_EQ(refusal(R"({"a": [1, 1e400]})"),
            "a.json#/a/1: expected a number of at most 1.7976931348623157e+308, got 1e400");
  EXPECT_EQ(refusal(R"([[], [-1e999]])"),
            "a.json#/1/0: expected a number of at most 1.7976931348623157e+308, got -1e999");
  EXPECT_EQ(refusal(R"({"a": 18446744073709551616, "b": -9223372036854775809})"),
            "a.json#/a: expected an integer in [-9223372036854775808, 18446744073709551615], got "
            "18446744073709551616\n"
            "a.json#/b: expected an integer in [-9223372036854775808, 18446744073709551615], got "
            "-9223372036854775809");
  EXPECT_EQ(refusal("[" + std::string(1000, '9') + "]"),
            "a.json#/0: expected an integer in [-9223372036854775808, 18446744073709551615], got " +
                std::string(57, '9') + "...");
}

TEST(StrictJson, RefusesDeepNestingWithOneMessage) {
  EXPECT_EQ(refusal(repeated("[", 64) + repeated("]", 64)), "accepted");
  EXPECT_EQ(refusal(repeated("[", 65) + repeated("]", 65)),
            "a.json:1:65: expected objects and arrays nested at most 64 deep, got deeper ones");
  EXPECT_EQ(refusal(repeated("[", 20'000)),
            "a.json:1:65: expected objects and arrays nested at most 64 deep, got deeper ones");
  EXPECT_EQ(refusal(repeated("\n{\"a\":", 20'000)),
            "a.json:66:1: expected objects and arrays nested at most 64 deep, got deeper ones");
}

TEST(StrictJson, ReportsAHundredProblemsAtMost) {
  std::string text = "{\"a\":0";
  for (int i = 0; i < 1000; ++i) text += ",\"a\":0";
  try {
    parse_json(text + "}", "a.json");
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.problems().size(), 100U);
  }
}

TEST(StrictJson, ShortensWhatItFound) {
  EXPECT_EQ(refusal("[1 " + std::string(5000, 'x') + "]"),
            "a.json:1:4: expected a comma or ], got " + std::string(57, 'x') + "...");
  EXPECT_EQ(refusal("[1 \"" + std::string(5000, 'x') + "\"]"),
            "a.json:1:4: expected a comma or ], got \"" + std::string(56, 'x') + "...");
}

// 200,000 keys: a search through the object at each of them would be 2e10 comparisons.
TEST(StrictJson, TakesNoQuadraticTime) {
  std::string text = "{";
  for (int i = 0; i < 200'000; ++i) text += "\"key" + std::to_string(i) + "\":" + "[1.5,\"x\"],";
  text += "\"last\":0}";
  const auto before = std::chrono::steady_clock::now();
  const auto json = parse_json(text, "a.json");
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  EXPECT_EQ(json.size(), 200'001U);
  EXPECT_LT(took.count(), 20.0);
}

// Whatever one changed byte does to a document, it is either accepted, and then reads back the same
// from its canonical form, or refused with a message of one line that names the file.
TEST(StrictJson, SurvivesEveryOneByteChange) {
  const std::string good =
      R"({"name": "a\u00e9\n", "list": [1, -2.5e3, true, null, {"x": {}}], "n": 64})";
  for (std::size_t at = 0; at < good.size(); ++at) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = good;
      text[at] = static_cast<char>(byte);
      try {
        const std::string once = canonical(parse_json(text, "a.json"));
        ASSERT_EQ(canonical(parse_json(once, "a.json")), once) << text;
      } catch (const InputError& error) {
        const std::string message = error.what();
        ASSERT_TRUE(message.starts_with("a.json")) << text;
        ASSERT_NE(message.find(": expected "), std::string::npos) << text;
        ASSERT_EQ(message.find('\n'), std::string::npos) << text;
      }
    }
  }
}

TEST(StrictJson, RefusesEveryUnfinishedDocument) {
  const std::string good = R"({"name": "a\u00e9\n", "list": [1, -2.5e3, true, null, {"x": {}}]})";
  for (std::size_t length = 0; length < good.size(); ++length) {
    const std::string message = refusal(good.substr(0, length));
    EXPECT_TRUE(message.starts_with("a.json:1:")) << length << ": " << message;
  }
}

TEST(StrictJson, RefusesMoreValuesThanMemoryHolds) {
  std::string text = "[0";
  for (int i = 0; i < 2'000'000; ++i) text += ",0";
  const std::string why = refusal(text + "]");
  EXPECT_NE(why.find("expected a document of at most 2000000 values"), std::string::npos) << why;
}

}  // namespace
}  // namespace cubicbench::support
