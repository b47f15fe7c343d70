#include "support/json/object_reader.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "support/json/strict_json.h"

namespace cubicbench::support {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 3> prefetch = {"none", "post", "pre"};
constexpr std::array<std::string_view, 1> schema = {"cubicbench.scenario/1"};
constexpr double infinity = std::numeric_limits<double>::infinity();

/// A document, and what is wrong with it so far.
struct Document {
  explicit Document(std::string_view text) : json(parse_json(text, "a.json")) {}
  ObjectReader reader() { return {json, "a.json", "", problems}; }
  std::string message() const { return problems.empty() ? "" : InputError(problems).what(); }

  Json json;
  std::vector<Problem> problems;
};

TEST(ObjectReader, ReadsWhatIsThere) {
  Document d(R"({"i": -3, "x": 2.5, "whole": 2, "b": true, "s": "text", "c": "post",
                 "o": {"k": 1}, "l": [1, {"k": 2}, "x", 0.5, false, [3], "pre"]})");
  ObjectReader in = d.reader();
  EXPECT_EQ(in.integer("i", -10, 10), -3);
  EXPECT_EQ(in.number("x", 0, 10), 2.5);
  EXPECT_EQ(in.number("whole", 0, 10), 2.0);
  EXPECT_TRUE(in.boolean("b"));
  EXPECT_EQ(in.string("s"), "text");
  EXPECT_EQ(in.one_of("c", prefetch), 1U);
  ObjectReader object = in.object("o");
  EXPECT_EQ(object.integer("k", 0, 9), 1);
  EXPECT_EQ(object.pointer(), "/o");
  object.finish();
  const std::vector<ValueReader> list = in.array("l");
  ASSERT_EQ(list.size(), 7U);
  EXPECT_EQ(list[0].integer(0, 9), 1);
  EXPECT_EQ(list[1].object().integer("k", 0, 9), 2);
  EXPECT_EQ(list[2].string(), "x");
  EXPECT_EQ(list[3].number(0, 1), 0.5);
  EXPECT_FALSE(list[4].boolean());
  EXPECT_EQ(list[5].array().at(0).integer(0, 9), 3);
  EXPECT_EQ(list[6].one_of(prefetch), 2U);
  in.finish();
  EXPECT_EQ(d.message(), "");
}

TEST(ObjectReader, TakesDefaultsForAbsentAndNullKeys) {
  Document d(R"({"i": null, "o": null})");
  ObjectReader in = d.reader();
  EXPECT_EQ(in.integer("i", 1, 9, 7), 7);
  EXPECT_EQ(in.integer("j", 1, 9, 0), 0);
  EXPECT_EQ(in.number("x", 0, 1, 0.25), 0.25);
  EXPECT_TRUE(in.boolean("b", true));
  EXPECT_EQ(in.string("s", "text"), "text");
  EXPECT_EQ(in.one_of("c", prefetch, 2), 2U);
  EXPECT_FALSE(in.optional_object("o").has_value());
  EXPECT_TRUE(in.optional_array("l").empty());
  EXPECT_EQ(in.value("v").raw(), nullptr);
  EXPECT_EQ(in.raw("i"), nullptr);
  EXPECT_FALSE(in.has("i"));
  in.finish();
  EXPECT_EQ(d.message(), "");
}

TEST(ObjectReader, RefusesEveryWrongInteger) {
  struct Case {
    const char* value;
    const char* got;
  };
  for (const Case& c :
       {Case{"0", "0"}, Case{"73", "73"}, Case{"-1", "-1"}, Case{"3.7", "3.7"}, Case{"4.0", "4.0"},
        Case{"1e3", "1000.0"}, Case{"1e22", "1e+22"}, Case{"true", "true"},
        Case{"\"16k\"", "\"16k\"; did you mean 16384, or 16000?"}, Case{"\"8\"", "\"8\""},
        Case{"[8]", "[8]"}, Case{"{\"n\": 8.0}", "{\"n\":8.0}"}, Case{"5000000000", "5000000000"},
        Case{"18446744073709551615", "18446744073709551615"}}) {
    Document d("{\"gpus_per_node\": " + std::string(c.value) + "}");
    ObjectReader in(d.json, "a.json", "/cluster", d.problems);
    EXPECT_EQ(in.integer("gpus_per_node", 1, 72), 1);
    EXPECT_EQ(in.integer("gpus_per_node", 1, 72, 8), 8);
    in.finish();
    const std::string line =
        "a.json#/cluster/gpus_per_node: expected an integer in [1, 72], got " + std::string(c.got);
    EXPECT_EQ(d.message(), line + "\n" + line);
  }
}

TEST(ObjectReader, CollectsEveryProblemInOrder) {
  Document d(R"({"gpus": "16k", "x": "fast", "b": 1, "s": 2, "c": "posst", "o": [1], "l": {"a": 1},
                 "schema": "cubicbench.scenario/2", "tensor_paralel": 7, "zzz": 0,
                 "nested": {"gone": 1, "list": [1, null, "x"]}})");
  ObjectReader in = d.reader();
  EXPECT_EQ(in.integer("gpus", 1, 131072), 1);
  EXPECT_EQ(in.number("x", 0.5, infinity), 0.5);
  EXPECT_FALSE(in.boolean("b"));
  EXPECT_EQ(in.string("s"), "");
  EXPECT_EQ(in.one_of("c", prefetch), 0U);
  ObjectReader object = in.object("o");
  EXPECT_EQ(object.integer("inside", 3, 9), 3);
  object.finish();
  EXPECT_TRUE(in.array("l").empty());
  in.one_of("schema", schema);
  in.integer("layers", 1, 10);
  in.integer("tensor_parallel", 1, 8, 1);
  ObjectReader nested = in.object("nested");
  for (const ValueReader& element : nested.array("list")) element.integer(0, 5);
  nested.object("missing").string("not reported again");
  nested.finish("setting");
  in.problem("gpus", "expected a multiple of 8, got 12");
  in.finish("setting");
  EXPECT_EQ(d.message(),
            "a.json#/gpus: expected an integer in [1, 131072], got \"16k\"; did you mean "
            "16384, or 16000?\n"
            "a.json#/x: expected a number >= 0.5, got \"fast\"\n"
            "a.json#/b: expected true or false, got 1\n"
            "a.json#/s: expected a string, got 2\n"
            "a.json#/c: expected one of none, post, pre, got \"posst\"; did you mean \"post\"?\n"
            "a.json#/o: expected an object, got [1]\n"
            "a.json#/l: expected an array, got {\"a\":1}\n"
            "a.json#/schema: expected \"cubicbench.scenario/1\", got \"cubicbench.scenario/2\"\n"
            "a.json#/layers: expected an integer in [1, 10], got nothing\n"
            "a.json#/nested/list/1: expected an integer in [0, 5], got null\n"
            "a.json#/nested/list/2: expected an integer in [0, 5], got \"x\"\n"
            "a.json#/nested/missing: expected an object, got nothing\n"
            "a.json#/nested/gone: unknown setting\n"
            "a.json#/gpus: expected a multiple of 8, got 12\n"
            "a.json#/tensor_paralel: unknown setting; did you mean \"tensor_parallel\"?\n"
            "a.json#/zzz: unknown setting");
}

TEST(ObjectReader, ReportsEveryRequiredKeyThatIsMissing) {
  Document d("{}");
  ObjectReader in = d.reader();
  in.integer("i", std::numeric_limits<std::int64_t>::min(), 5);
  in.number("x", -infinity, infinity);
  in.boolean("b");
  in.string("s");
  in.one_of("c", prefetch);
  in.object("o").integer("k", 0, 1);
  in.array("l");
  EXPECT_EQ(d.message(),
            "a.json#/i: expected an integer <= 5, got nothing\n"
            "a.json#/x: expected a number, got nothing\n"
            "a.json#/b: expected true or false, got nothing\n"
            "a.json#/s: expected a string, got nothing\n"
            "a.json#/c: expected one of none, post, pre, got nothing\n"
            "a.json#/o: expected an object, got nothing\n"
            "a.json#/l: expected an array, got nothing");
}

TEST(ObjectReader, SaysOnceThatTheDocumentIsNoObject) {
  Document d("[1, 2]");
  ObjectReader in = d.reader();
  EXPECT_EQ(in.integer("i", 4, 5), 4);
  EXPECT_TRUE(in.keys().empty());
  in.finish();
  EXPECT_EQ(d.message(), "a.json#: expected an object, got [1,2]");
}

TEST(ObjectReader, DescribesBounds) {
  EXPECT_EQ(expected_integer(1, 72), "an integer in [1, 72]");
  EXPECT_EQ(expected_integer(1, std::numeric_limits<std::int64_t>::max()), "an integer >= 1");
  EXPECT_EQ(expected_number(0, 1), "a number in [0, 1]");
  EXPECT_EQ(expected_number(0, infinity), "a number >= 0");
  EXPECT_EQ(expected_number(-infinity, 0.5), "a number <= 0.5");
  EXPECT_EQ(expected_number(above_zero, 1), "a number in (0, 1]");
  EXPECT_EQ(expected_number(above_zero, infinity), "a number > 0");
}

TEST(ObjectReader, RefusesNumbersOutsideTheirRange) {
  Document d(R"({"zero": 0, "minus": -0.5, "large": 1.5, "b": false})");
  ObjectReader in = d.reader();
  in.number("zero", above_zero, infinity);
  in.number("minus", 0, 1);
  in.number("large", 0, 1);
  in.number("b", 0, 1);
  EXPECT_EQ(d.message(),
            "a.json#/zero: expected a number > 0, got 0\n"
            "a.json#/minus: expected a number in [0, 1], got -0.5\n"
            "a.json#/large: expected a number in [0, 1], got 1.5\n"
            "a.json#/b: expected a number in [0, 1], got false");
}

TEST(ObjectReader, RefusesNumbersThatNobodyMeasures) {
  Document d(R"({"most": 1e100, "least": -1e-100, "more": 1.1e100, "less": 9e-101,
                 "minus": -1e308, "open": 5e-324, "none": 0.0})");
  ObjectReader in = d.reader();
  EXPECT_EQ(in.number("most", -infinity, infinity), 1e100);
  EXPECT_EQ(in.number("least", -infinity, infinity), -1e-100);
  EXPECT_EQ(in.number("none", -infinity, infinity), 0.0);
  in.number("more", 0, infinity);
  in.number("less", -1, 1);
  in.number("minus", -infinity, infinity);
  in.number("open", 0, infinity);
  const std::string expected = ": expected 0 or a magnitude from 1e-100 to 1e+100, got ";
  EXPECT_EQ(d.message(), "a.json#/more" + expected + "1.1e+100\na.json#/less" + expected +
                             "9e-101\na.json#/minus" + expected + "-1e+308\na.json#/open" +
                             expected + "5e-324");
}

TEST(ObjectReader, EscapesPointersAndShortensValues) {
  Document d(R"({"a/b~c": 1, "two\nlines": 2, "": 3})");
  ObjectReader in = d.reader();
  in.string("a/b~c");
  in.string("two\nlines");
  in.string("");
  EXPECT_EQ(d.message(),
            "a.json#/a~1b~0c: expected a string, got 1\n"
            "a.json#/two\\u000alines: expected a string, got 2\n"
            "a.json#/: expected a string, got 3");
  EXPECT_EQ(shown(std::string(100, 'x')), "\"" + std::string(56, 'x') + "...");
  EXPECT_EQ(shown(std::string(58, 'x')), "\"" + std::string(58, 'x') + "\"");
  EXPECT_EQ(shown("tab\t\"quote\""), R"("tab\u0009\"quote\"")");
  std::string ones;
  for (int i = 0; i < 28; ++i) ones += "1,";
  EXPECT_EQ(shown(Json(std::vector<int>(1'000'000, 1))), "[" + ones + "...");
}

// Reading each of 100,000 members by its name must not search through the others.
TEST(ObjectReader, ReadsLargeObjectsAndReportsTheFirstUnknownKeys) {
  std::string text = "{\"k0\":0";
  for (int i = 1; i < 100'000; ++i) text += ",\"k" + std::to_string(i) + "\":" + std::to_string(i);
  Document d(text + "}");
  ObjectReader in = d.reader();
  std::int64_t sum = 0;
  for (const std::string& key : in.keys()) sum += in.integer(key, 0, 100'000);
  in.finish();
  EXPECT_EQ(sum, 4'999'950'000);
  EXPECT_EQ(d.message(), "");
  d.reader().finish();
  EXPECT_EQ(d.problems.size(), problems_max);
}

}  // namespace
}  // namespace cubicbench::support
