#include "scenarios/readers/suite_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "scenarios/catalog.h"
#include "support/input_error.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::scenarios {
namespace {

constexpr const char* good = R"({
  "schema": "cubicbench.suite/1", "name": "two", "summary": "Two problems.", "score": 1, "seeds": 3,
  "problems": [{"scenario": "tiny-gpt", "trials": 20}, {"scenario": "./mine.json", "trials": 5}],
  "sealed": [{"scenario": "dense-small@0", "trials": 150}]})";

/// The suite in `text`; its file is FILE in messages.
Suite read_text(const std::string& text) {
  const TemporaryFolder folder;
  const std::string path = folder / "suite.json";
  write_text(path, text);
  try {
    return read_suite(path, "--suite");
  } catch (const support::InputError& error) {
    std::string message = error.what();
    for (std::size_t at = 0; (at = message.find(path, at)) != std::string::npos;) {
      message.replace(at, path.size(), "FILE");
    }
    throw std::runtime_error(message);
  }
}

std::string problem_of(const std::string& from, const std::string& to) {
  std::string text = good;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  try {
    read_text(text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Suite, HasItsProblemsWithTheirBudgets) {
  const Suite suite = read_text(good);
  EXPECT_EQ(suite.name, "two");
  EXPECT_EQ(suite.seeds, 3);
  ASSERT_EQ(suite.problems.size(), 2U);
  EXPECT_EQ(suite.problems[0], (SuiteProblem{"tiny-gpt", 20}));
  EXPECT_TRUE(suite.problems[1].scenario.ends_with("/mine.json")) << suite.problems[1].scenario;
  EXPECT_EQ(suite.sealed, (std::vector<SuiteProblem>{{"dense-small@0", 150}}));
}

TEST(Suite, EveryShippedOneReadsAndHasNoSealedProblemsOrAsMany) {
  const std::vector<Entry> entries = names(Kind::suite);
  ASSERT_FALSE(entries.empty());
  for (const Entry& entry : entries) {
    const Suite suite = read_suite(entry.name, "--suite");
    EXPECT_EQ(suite.name, entry.name);
    EXPECT_FALSE(suite.summary.empty());
    // Tables of real runs cannot be sealed.
    const bool real = suite.name == "real";
    EXPECT_EQ(suite.sealed.size(), real ? 0 : suite.problems.size()) << suite.name;
  }
}

TEST(Suite, SaysWhatIsWrong) {
  EXPECT_EQ(problem_of("\"trials\": 20", "\"trials\": 0"),
            "FILE#/problems/0/trials: expected an integer in [1, 1000000000], got 0");
  EXPECT_EQ(problem_of("./mine.json", "tiny-gpt"),
            "FILE#/problems/1: expected each scenario once, got \"tiny-gpt\" again");
  EXPECT_EQ(problem_of("\"score\": 1", "\"score\": 2"),
            "FILE#/score: expected an integer in [1, 1], got 2");
  EXPECT_EQ(problem_of("\"tiny-gpt\"", "\"\""),
            "FILE#/problems/0/scenario: expected a scenario, got \"\"");
  EXPECT_EQ(problem_of("\"seeds\": 3,", ""),
            "FILE#/seeds: expected an integer in [1, 1000000], got nothing");
}

TEST(Suite, AnUnknownNameIsToldWhatToTypeInstead) {
  try {
    read_suite("standart", "--suite");
    FAIL();
  } catch (const support::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("unknown suite \"standart\""), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace cubicbench::scenarios
