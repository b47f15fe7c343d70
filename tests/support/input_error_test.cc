#include "support/input_error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/shortened_to.h"

namespace cubicbench::support {
namespace {

TEST(InputError, ShowsALineAProblem) {
  const std::vector<Problem> problems = {{"a.json#/x", "expected 1, got 2"},
                                         {"a.json#/y", "unknown key"}};
  const InputError error(problems);
  EXPECT_STREQ(error.what(), "a.json#/x: expected 1, got 2\na.json#/y: unknown key");
  EXPECT_EQ(error.problems().size(), 2U);
  EXPECT_STREQ(InputError("a.json:1:2", "expected x, got y").what(),
               "a.json:1:2: expected x, got y");
}

TEST(InputError, IsThrownOnlyForProblems) {
  EXPECT_NO_THROW(throw_if_any({}));
  EXPECT_THROW(throw_if_any({{"a.json#", "expected an object, got 1"}}), InputError);
}

TEST(InputError, ShowsTwentyProblemsAndCountsTheRest) {
  std::vector<Problem> problems;
  for (int i = 0; i < 20; ++i) add_problem(problems, {"t.csv:" + std::to_string(i), "wrong"});
  const std::string shown = InputError(problems).what();
  EXPECT_TRUE(shown.ends_with("\nt.csv:19: wrong"));
  add_problem(problems, {"t.csv:20", "wrong"});
  EXPECT_EQ(InputError(problems).what(), shown + "\nand 1 more problem");
  EXPECT_EQ(InputError(problems).problems().size(), 21U);
  for (int i = 21; i < 5000; ++i) add_problem(problems, {"t.csv:" + std::to_string(i), "wrong"});
  EXPECT_EQ(problems.size(), problems_max);
  EXPECT_EQ(InputError(problems).what(), shown + "\nand at least 980 more problems");
}

TEST(InputError, IsShortWhateverItQuotes) {
  const std::string name(5000, 'x');
  const InputError one("a.json#/" + name, "unknown key");
  EXPECT_EQ(one.what(), "a.json#/" + std::string(889, 'x') + "...");
  const InputError many(std::vector<Problem>(7, {"a.json#/" + name, "unknown key"}));
  EXPECT_EQ(std::string(many.what()).size(),
            4 * 900 + 3 + std::string("\nand 3 more problems").size());
  EXPECT_EQ(many.problems().size(), 7U);
  // A place is a line, whatever the names in it are.
  EXPECT_STREQ(InputError(std::string("a.json#/b\0c\n", 12), "unknown key").what(),
               "a.json#/b\\u0000c\\u000a: unknown key");
}

TEST(Shortened, KeepsSixtyCharactersOfOneLine) {
  EXPECT_EQ(shortened(""), "");
  EXPECT_EQ(shortened(std::string(60, 'x')), std::string(60, 'x'));
  EXPECT_EQ(shortened(std::string(61, 'x')), std::string(57, 'x') + "...");
  EXPECT_EQ(shortened("a\nb\x1b\x7f"), "a\\u000ab\\u001b\\u007f");
  // What is shown may become JSON, which is UTF-8.
  EXPECT_EQ(shortened("a\xff\xc3"), "a\\xff\\xc3");
  std::string accents;
  for (int i = 0; i < 60; ++i) accents += "\u00e9";
  EXPECT_EQ(shortened(accents), accents);
  EXPECT_EQ(shortened(accents + "\u00e9"), accents.substr(0, 2 * 57) + "...");
  // An escape is never cut in two: 54 + 6 characters fit, 55 + 6 leave room for 55 and the dots.
  EXPECT_EQ(shortened(std::string(54, 'x') + "\n"), std::string(54, 'x') + "\\u000a");
  EXPECT_EQ(shortened(std::string(55, 'x') + "\n"), std::string(55, 'x') + "...");
}

TEST(Shortened, MayBeAskedForMoreCharacters) {
  EXPECT_EQ(shortened_to(std::string(200, 'x'), 200), std::string(200, 'x'));
  EXPECT_EQ(shortened_to(std::string(201, 'x'), 200), std::string(197, 'x') + "...");
}

TEST(MessageOf, SaysALineEachAndHowManyAreLeftOut) {
  EXPECT_EQ(message_of({"a: no", "b: no"}), "a: no\nb: no");
  const std::string twenty = message_of(std::vector<std::string>(21, "no"));
  EXPECT_EQ(std::ranges::count(twenty, '\n'), 20);
  EXPECT_TRUE(twenty.ends_with("no\nand 1 more problem"));
  EXPECT_TRUE(message_of(std::vector<std::string>(22, "no"), true)
                  .ends_with("and at least 2 more problems"));
  // Four lines of 900 characters fit 4 kB; an endless name takes no more than its own line.
  EXPECT_EQ(message_of(std::vector<std::string>(6, std::string(5'000, 'x'))).size(),
            4 * 901U + std::string("and 2 more problems").size());
}

}  // namespace
}  // namespace cubicbench::support
