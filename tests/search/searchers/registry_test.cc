#include "search/searchers/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "support/input_error.h"

namespace cubicbench::search {
namespace {

std::string message_of(std::string_view text) {
  try {
    parse_searcher(text, "--searcher");
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Registry, IsSortedAndDescribed) {
  const auto all = searchers();
  ASSERT_FALSE(all.empty());
  EXPECT_TRUE(std::is_sorted(all.begin(), all.end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const SearcherEntry& entry : all) {
    SCOPED_TRACE(entry.name);
    EXPECT_FALSE(entry.summary.empty());
    EXPECT_EQ(searcher_slug(entry.name), entry.name);  // it is part of a file name as it is
    for (const SearcherOption& option : entry.options) {
      SCOPED_TRACE(option.name);
      EXPECT_FALSE(option.summary.empty());
      EXPECT_LE(option.min, option.otherwise);
      EXPECT_LE(option.otherwise, option.max);
    }
  }
}

TEST(Registry, FillsInDefaults) {
  const SearcherSpec spec = parse_searcher("random", "--searcher");
  EXPECT_EQ(spec.text, "random");
  EXPECT_EQ(spec.name, "random");
  ASSERT_EQ(spec.options.size(), 1U);
  EXPECT_EQ(spec.options.front().first, "replacement");
  EXPECT_EQ(option_of(spec, "replacement"), 0.0);
}

TEST(Registry, TakesACommandInUtf8Only) {
  EXPECT_EQ(message_of("external:echo \xc3\xa9"), "accepted");
  EXPECT_EQ(message_of("external:echo \xff"),
            "--searcher: expected a command in UTF-8, got \"external:echo \\xff\"");
}

TEST(Registry, ReadsOptions) {
  const SearcherSpec spec = parse_searcher("random:replacement=1", "--searcher");
  EXPECT_EQ(spec.text, "random:replacement=1");
  EXPECT_EQ(spec.name, "random");
  EXPECT_EQ(option_of(spec, "replacement"), 1.0);
}

TEST(Registry, SaysWhatIsWrong) {
  struct Case {
    std::string_view text;
    std::string_view message;
  };
  for (const Case& c : {
           Case{"",
                "--searcher: expected one of NAMES, got \"\"; a program of your own runs as "
                "external:CMD"},
           Case{"randon",
                "--searcher: expected one of NAMES, got \"randon\"; did you mean \"random\"?"},
           Case{"Random",
                "--searcher: expected one of NAMES, got \"Random\"; did you mean \"random\"?"},
           Case{"simulated",
                "--searcher: expected one of NAMES, got \"simulated\"; a program of your own runs "
                "as external:CMD"},
           Case{"random:", "--searcher: expected OPTION=VALUE after random, got \"\""},
           Case{"random:replacement",
                "--searcher: expected OPTION=VALUE after random, got \"replacement\""},
           Case{"random:replacment=1",
                "--searcher: expected an option of random (replacement), got \"replacment\"; did "
                "you mean \"replacement\"?"},
           Case{"random:=1", "--searcher: expected an option of random (replacement), got \"\""},
           Case{"random:replacement=",
                "--searcher: expected replacement to be an integer in [0, 1], got \"\""},
           Case{"random:replacement=2",
                "--searcher: expected replacement to be an integer in [0, 1], got \"2\""},
           Case{"evolution:sample=0",
                "--searcher: expected sample to be an integer in [1, 100000], got \"0\""},
           Case{"random:replacement=-1",
                "--searcher: expected replacement to be an integer in [0, 1], got \"-1\""},
           Case{"random:replacement=0.5",
                "--searcher: expected replacement to be an integer in [0, 1], got \"0.5\""},
           Case{"random:replacement=1 ",
                "--searcher: expected replacement to be an integer in [0, 1], got \"1 \""},
           Case{"random:replacement=99999999999999999999",
                "--searcher: expected replacement to be an integer in [0, 1], got "
                "\"99999999999999999999\""},
           Case{"random:replacement=0:replacement=1",
                "--searcher: expected replacement once, got it again as \"1\""},
           Case{"random:a=1:replacement=x",
                "--searcher: expected an option of random (replacement), got \"a\"\n"
                "--searcher: expected replacement to be an integer in [0, 1], got \"x\""},
       }) {
    SCOPED_TRACE(c.text);
    std::string names;
    for (const SearcherEntry& entry : searchers()) {
      names += (names.empty() ? "" : ", ") + std::string(entry.name);
    }
    std::string expected(c.message);
    const std::size_t at = expected.find("NAMES");
    if (at != std::string::npos) expected.replace(at, 5, names);
    EXPECT_EQ(message_of(c.text), expected);
  }
}

TEST(SearcherSlug, KeepsWhatAFileNameTakes) {
  EXPECT_EQ(searcher_slug("random"), "random");
  EXPECT_EQ(searcher_slug("tpe-2"), "tpe-2");
}

TEST(SearcherSlug, EndsInTheHashOfAnythingElse) {
  // printf '%s' TEXT | sha256sum
  EXPECT_EQ(searcher_slug("random:replacement=1"), "random-replacement-1-017a6b8d");
  EXPECT_EQ(searcher_slug("Random"), "random-67bc4844");
  EXPECT_EQ(searcher_slug("external:./my searcher.py"), "external-my-searcher-py-208ca69f");
  EXPECT_EQ(searcher_slug(":"), "-e7ac0786");
  EXPECT_LE(searcher_slug(std::string(500, '_') + "x").size(), 60U);
}

TEST(Registry, ReadsACommandAsItIsTyped) {
  const SearcherSpec spec = parse_searcher("external:python3 tune.py --lr 0.1,0.2", "--searcher");
  EXPECT_TRUE(is_external(spec));
  EXPECT_EQ(spec.command, "python3 tune.py --lr 0.1,0.2");
  EXPECT_EQ(spec.text, "external:python3 tune.py --lr 0.1,0.2");
  const SearcherSpec hidden = parse_searcher("external:/opt/tune", "--searcher");
  EXPECT_EQ(hidden.command, "/opt/tune");
  EXPECT_TRUE(hidden.text.starts_with("external-sha256:"));
  EXPECT_EQ(recorded_searcher(hidden.text, "plan").text, hidden.text);
  EXPECT_TRUE(is_external(recorded_searcher(hidden.text, "plan")));
  EXPECT_THROW(parse_searcher(hidden.text, "--searcher"), support::InputError);
}

TEST(Registry, KnowsWhoIsOutside) {
  for (const char* const name : {"client", "optuna-tpe-3", "gpt"}) {
    EXPECT_TRUE(is_outside(outside_searcher(name, "--as")));
    EXPECT_TRUE(is_outside(recorded_searcher(name, "plan")));
    EXPECT_TRUE(is_outside_name(name));
  }
  for (const char* const name : {"", "random", "external", "A", "a.b", "a/b", "a b"}) {
    EXPECT_THROW(outside_searcher(name, "--as"), support::InputError) << name;
    EXPECT_FALSE(is_outside_name(name)) << name;
  }
}

TEST(Registry, EndsACommandBeforeTheNextSearcherOnly) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(searcher_words("random,evolution:sample=5"), (Words{"random", "evolution:sample=5"}));
  EXPECT_EQ(searcher_words("external:a --x 1,2,random"), (Words{"external:a --x 1,2", "random"}));
  EXPECT_EQ(searcher_words("external:a,external:b,c"), (Words{"external:a", "external:b,c"}));
  EXPECT_EQ(searcher_words("random,"), (Words{"random", ""}));
}

}  // namespace
}  // namespace cubicbench::search
