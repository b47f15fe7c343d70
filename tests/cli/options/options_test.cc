#include "cli/options/options.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/readers.h"
#include "support/input_error.h"

namespace cubicbench::cli {
namespace {

/// Fills the options with what was typed of those that are named; "" where nothing is wrong, else
/// what is said.
std::string filled(Options& options, const std::map<std::string, Values>& typed) {
  std::vector<Values> values;
  for (const Option& option : options.all()) {
    const auto found = typed.find(option.name);
    values.push_back(found == typed.end() ? Values() : found->second);
  }
  try {
    options.fill(values);
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Options, FillTypedFieldsAndLeaveOthersAlone) {
  bool flag = false;
  int number = 7;
  std::optional<std::string> text;
  std::vector<std::int64_t> numbers{1, 2};
  std::vector<std::string> names;
  Options options;
  options.flag("--flag", "", flag);
  options.value("--number", "N", "", number, Integer{0, 9});
  options.value("--text", "T", "", text);
  options.words("--numbers", "N[,..]", "", numbers, Integer{0, 9});
  options.arguments("NAME", "", names);
  EXPECT_EQ(filled(options, {}), "");
  EXPECT_FALSE(flag);
  EXPECT_EQ(number, 7);
  EXPECT_EQ(text, std::nullopt);
  EXPECT_EQ(numbers, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(filled(options, {{"--flag", {"true"}},
                             {"--number", {"9"}},
                             {"--text", {""}},
                             {"--numbers", {"3,4", "5"}},
                             {"NAME", {"a", "b,c"}}}),
            "");
  EXPECT_TRUE(flag);
  EXPECT_EQ(number, 9);
  EXPECT_EQ(text, "");
  EXPECT_EQ(numbers, (std::vector<std::int64_t>{3, 4, 5}));
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b,c"}));
}

TEST(Options, SayAllThatIsWrongInTheirTurns) {
  int first = 1;
  int second = 2;
  std::vector<std::int64_t> numbers;
  Options options;
  options.value("--later", "N", "", second, Integer{0, 9}).in_turn(1);
  options.words("--numbers", "N[,..]", "", numbers, Integer{0, 9});
  options.value("--first", "N", "", first, Integer{0, 9});
  options.check(0, [] { throw support::InputError("both", "do not fit"); });
  EXPECT_EQ(
      filled(options, {{"--first", {"1", "2"}}, {"--later", {"x"}}, {"--numbers", {"1,y,z"}}}),
      "--numbers: expected an integer in [0, 9], got \"y\"\n"
      "--numbers: expected an integer in [0, 9], got \"z\"\n"
      "--first: given 2 times\n"
      "both: do not fit\n"
      "--later: expected an integer in [0, 9], got \"x\"");
  EXPECT_EQ(first, 1);
  EXPECT_TRUE(numbers.empty());
}

TEST(Options, OfALaterTurnChangeWhatAnEarlierOneFilled) {
  int number = 0;
  Options options;
  options.value("--number", "N", "", number, Integer{0, 9});
  options.value("--all", "N", "", number, [](const std::string&, const std::string&) { return 5; })
      .in_turn(-1);
  EXPECT_EQ(filled(options, {{"--number", {"3"}}, {"--all", {"file"}}}), "");
  EXPECT_EQ(number, 3);
}

TEST(Options, ThatAreRequiredAreMissedWhereTheyAreWanted) {
  std::string text;
  bool wanted = true;
  Options options;
  options.value("--text", "T", "", text).required("expected T, got nothing", [&] {
    return wanted;
  });
  EXPECT_EQ(filled(options, {}), "--text: expected T, got nothing");
  EXPECT_EQ(filled(options, {{"--text", {"a"}}}), "");
  wanted = false;
  EXPECT_EQ(filled(options, {}), "");
}

TEST(Options, ThatAreWrongAreNotLookedAtAgain) {
  int number = 0;
  Options options;
  options.value("--number", "N", "", number, Integer{0, 9}).check([&] {
    if (number % 2 != 0) throw support::InputError("--number", "expected an even one");
  });
  EXPECT_EQ(filled(options, {{"--number", {"7"}}}), "--number: expected an even one");
  EXPECT_EQ(filled(options, {{"--number", {"77"}}}),
            "--number: expected an integer in [0, 9], got \"77\"");
}

TEST(Options, WhatIsSaidFirstIsSaidAlone) {
  int number = 0;
  Options options;
  options.value("--number", "N", "", number, Integer{0, 9});
  options.first([](const Options& all) {
    if (all.given("--number")) throw support::InputError("--number", "expected elsewhere");
  });
  EXPECT_EQ(filled(options, {{"--number", {"x"}}}), "--number: expected elsewhere");
  EXPECT_EQ(filled(options, {}), "");
}

}  // namespace
}  // namespace cubicbench::cli
