#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/cli/program.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(GlossaryCommand, ExplainsAWordAndASetting) {
  const Answer word = ask("glossary pipeline bubble");
  EXPECT_EQ(word.code, 0);
  EXPECT_THAT(word.out, StartsWith("bubble\n"));
  EXPECT_THAT(word.out, HasSubstr("Source: "));
  EXPECT_THAT(ask("glossary Tensor_Parallel").out, StartsWith("tensor_parallel\nGPUs that share"));
}

TEST(GlossaryCommand, ListsAllOfItAndSaysItAsJson) {
  const Answer all = ask("glossary");
  EXPECT_THAT(all.out, HasSubstr("MFU"));
  EXPECT_THAT(all.out, HasSubstr("wrap"));
  const auto document = nlohmann::json::parse(ask("glossary bubble --json").out);
  EXPECT_EQ(document["schema"], "cubicbench.glossary/1");
  ASSERT_EQ(document["entries"].size(), 1U);
  EXPECT_EQ(document["entries"][0]["name"], "bubble");
  EXPECT_GT(nlohmann::json::parse(ask("glossary --json").out)["entries"].size(), 150U);
}

TEST(GlossaryCommand, SaysWhatIsMeantByWhatItHasNot) {
  const Answer answer = ask("glossary buble");
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.err, "buble: expected a word of the glossary; did you mean \"bubble\"?\n");
}

TEST(GlossaryCommand, RefusesWhatItWouldNotUse) {
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(run({"glossary", " "}, out, err), 2);
  EXPECT_EQ(err.str(), "WORD: expected a word, got \"\"\n");
  EXPECT_EQ(run({"glossary", " pipeline ", "bubble "}, out, err), 0);
  EXPECT_THAT(out.str(), StartsWith("bubble\n"));
  const Answer both = ask("glossary bubble --markdown nowhere.md");
  EXPECT_EQ(both.code, 2);
  EXPECT_EQ(both.err, "--markdown: expected no WORD beside it: it writes the whole glossary\n");
}

// A message has at most 4 kB, whatever path it names.
TEST(GlossaryCommand, SaysInShortThatAFileHasTooLongAName) {
  const Answer answer = ask("glossary --markdown " + std::string(9'000, 'n'));
  EXPECT_EQ(answer.code, 3);
  EXPECT_THAT(answer.err, StartsWith("--markdown: cannot write nnn"));
  EXPECT_LT(answer.err.size(), 4'000U);
}

TEST(GlossaryCommand, WritesTheDocumentation) {
  const TemporaryFolder folder;
  EXPECT_EQ(ask("glossary --markdown " + (folder / "glossary.md").string()).code, 0);
  EXPECT_THAT(read_text(folder / "glossary.md"), StartsWith("# Glossary\n"));
}

}  // namespace
}  // namespace cubicbench::cli
