#include "scenarios/family/drawn_values.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;
using support::Problem;

Json drawn(const char* draw, std::uint64_t seed = 1, Audience audience = Audience::everybody) {
  std::vector<Problem> problems;
  Json values = drawn_values(Json::parse(draw), "f", audience, seed, problems);
  EXPECT_TRUE(problems.empty()) << problems.front().where << ": " << problems.front().text;
  return values;
}

std::string wrong(const char* draw) {
  std::vector<Problem> problems;
  drawn_values(Json::parse(draw), "f", Audience::everybody, 1, problems);
  return problems.empty() ? "" : problems.front().where + ": " + problems.front().text;
}

TEST(DrawnValues, TakeOneOfTheValues) {
  std::map<int, int> seen;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    ++seen[drawn(R"([{"name": "a", "one_of": [1, 2, 3]}])", seed)["a"].get<int>()];
  }
  EXPECT_EQ(seen.size(), 3U);
  for (const auto& [value, count] : seen) EXPECT_NEAR(count, 100, 30) << value;
}

TEST(DrawnValues, FollowTheirWeights) {
  int heavy = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const Json values =
        drawn(R"([{"name": "a", "one_of": ["x", "y", "z"], "weights": [1, 3, 0]}])", seed);
    EXPECT_NE(values["a"], "z");
    heavy += values["a"] == "y" ? 1 : 0;
  }
  EXPECT_NEAR(heavy, 300, 40);
}

TEST(DrawnValues, OfSealedMembersComeFromTheirOwnList) {
  const char* const draw = R"([{"name": "a", "one_of": {"public": [1], "sealed": [2]}}])";
  EXPECT_EQ(drawn(draw)["a"], 1);
  EXPECT_EQ(drawn(draw, 1, Audience::sealed)["a"], 2);
}

TEST(DrawnValues, AreUniformMultiplesOfAStep) {
  std::set<double> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    seen.insert(
        drawn(R"([{"name": "a", "uniform": [0.35, 0.4], "step": 0.01}])", seed)["a"].get<double>());
  }
  EXPECT_EQ(seen, (std::set<double>{0.35, 0.36, 0.37, 0.38, 0.39, 0.4}));
  EXPECT_TRUE(drawn(R"([{"name": "a", "uniform": [5, 5], "step": 1}])")["a"].is_number_integer());
}

TEST(DrawnValues, MultiplyAndDivide) {
  const char* const draw = R"([
    {"name": "gpus", "one_of": [24]},
    {"name": "tokens", "product": [1048576, 1.5], "over": [8192], "step": {"$": "gpus"}},
    {"name": "little", "product": [1], "over": [100], "step": {"$": "gpus"}},
    {"name": "memory", "product": [79.65, 0.5], "step": 0.01}])";
  const Json values = drawn(draw);
  EXPECT_EQ(values["tokens"], 192);    // 1,048,576 * 1.5 / 8192 = 192 = 8 * 24
  EXPECT_EQ(values["little"], 24);     // one step at least
  EXPECT_EQ(values["memory"], 39.83);  // 39.825, to the nearest step away from zero
}

TEST(DrawnValues, DependOnTheirPlaceAndOnThoseBefore) {
  const Json two = drawn(
      R"([{"name": "a", "one_of": [{"nets": ["p", "q"]}]}, {"name": "b", "one_of": {"$": "a.nets"}}])");
  EXPECT_TRUE(two["b"] == "p" || two["b"] == "q");
  // A third one leaves the others as they are.
  const Json three = drawn(
      R"([{"name": "a", "one_of": [{"nets": ["p", "q"]}]}, {"name": "b", "one_of": {"$": "a.nets"}},
          {"name": "c", "one_of": [1, 2, 3]}])");
  EXPECT_EQ(three["b"], two["b"]);
}

TEST(DrawnValues, SayWhatIsWrong) {
  EXPECT_EQ(wrong(R"([{"name": "a"}])"),
            "f#/draw/0/name: expected one_of, uniform or product beside it");
  EXPECT_EQ(wrong(R"([{"name": "a", "one_of": []}])"),
            "f#/draw/0/one_of: expected a list of values, or lists \"public\" and \"sealed\"");
  EXPECT_EQ(wrong(R"([{"name": "a", "one_of": [1], "weights": [1, 2]}])"),
            "f#/draw/0/weights: expected one a value, not all 0");
  EXPECT_EQ(wrong(R"([{"name": "a", "uniform": [0.2, 0.3], "step": 1}])"),
            "f#/draw/0/uniform: expected a multiple of step between the limits");
  EXPECT_EQ(
      wrong(
          R"([{"name": "gpus", "one_of": [8]}, {"name": "b", "product": [{"$": "gpu"}], "step": 1}])"),
      "f#/draw/1/product/0: expected a value that is drawn before, got \"gpu\"; did you mean "
      "\"gpus\"?");
  EXPECT_EQ(wrong(R"([{"name": "a", "one_of": [1]}, {"name": "a", "one_of": [1]}])"),
            "f#/draw/1/name: expected a name of its own");
}

TEST(Expanded, PutsValuesInPlaceOfReferences) {
  std::vector<Problem> problems;
  const Json values = Json::parse(R"({"n": 4, "m": {"k": "x", "none": null}})");
  const Json pattern = Json::parse(R"({
    "a": {"$": "n"}, "list": [1, {"$": "m.none"}, {"$": "m.k"}], "gone": {"$": "m.none"},
    "text": {"$text": ["n is ", {"$": "n"}, ", k is ", {"$": "m.k"}]},
    "all": {"$merge": [{"p": 1, "q": 2}, {"q": {"$": "n"}}]}})");
  EXPECT_EQ(
      expanded(pattern, values, "f", "", problems),
      Json::parse(
          R"({"a": 4, "list": [1, "x"], "text": "n is 4, k is x", "all": {"p": 1, "q": 4}})"));
  EXPECT_EQ(expanded(Json::parse(R"({"$text": [123460000000, " of ", 3e9, " or ", 2048]})"), values,
                     "f", "", problems),
            "123.5 B of 3 B or 2048");
  EXPECT_TRUE(problems.empty());
  expanded(Json::parse(R"({"a": [{"$": "m.z"}]})"), values, "f", "/scenario", problems);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].where, "f#/scenario/a/0");
}

}  // namespace
}  // namespace cubicbench::scenarios
