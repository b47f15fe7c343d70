// The search command as its user meets it: folders, options, streams.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "tests/integration/program_run.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

using Words = std::vector<std::string>;

Words search(const std::string& out, const Words& more = {}) {
  Words words{"search", "tiny-llama", "--searcher", "random", "--out", out};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(SearchCommand, JsonIsOneDocumentAndNothingElse) {
  const TemporaryFolder folder;
  const Ending ending =
      run_program(search(folder / "a", {"--trials", "20", "--seeds", "2", "--json"}));
  ASSERT_EQ(ending.exit_code, 0) << ending.err;
  EXPECT_EQ(ending.err, "");
  const auto document = nlohmann::ordered_json::parse(ending.out);  // throws on anything more
  EXPECT_EQ(document["schema"], "cubicbench.search/1");
  ASSERT_EQ(document["studies"].size(), 2U);
  const auto& study = document["studies"][1];
  EXPECT_EQ(study["study"], "tiny-llama.0.random.1");
  EXPECT_EQ(study["scenario"], "tiny-llama");
  EXPECT_EQ(study["instance"], 0);
  EXPECT_EQ(study["searcher"], "random");
  EXPECT_EQ(study["seed"], 1);
  EXPECT_EQ(study["trials"], 20);
  EXPECT_GT(study["best"]["value"], 0.0);
  EXPECT_TRUE(study["best"]["config"].contains("tensor_parallel"));
  EXPECT_TRUE(study["best"]["config"]["tensor_parallel"].is_number_integer());
  // The same bytes again, and from the finished folder.
  EXPECT_EQ(run_program(search(folder / "b", {"--trials", "20", "--seeds", "2", "--json"})).out,
            ending.out);
  EXPECT_EQ(
      run_program(search(folder / "a", {"--trials", "20", "--seeds", "2", "--json", "--resume"}))
          .out,
      ending.out);
}

TEST(SearchCommand, TextSaysWhatCameOutAndWhatToRunNext) {
  const TemporaryFolder folder;
  const Ending ending = run_program(search(folder / "a", {"--trials", "20"}));
  EXPECT_EQ(ending.exit_code, 0);
  EXPECT_EQ(ending.err, "");  // no terminal, no bar
  EXPECT_THAT(ending.out, AllOf(HasSubstr("tiny-llama: tokens_per_s, greater is better\n"),
                                HasSubstr("\nsearcher "), HasSubstr("\nrandom "),
                                HasSubstr("cubicbench report " + (folder / "a").string())));
}

TEST(SearchCommand, AFolderWithFilesNeedsResume) {
  const TemporaryFolder folder;
  write_text(folder / "mine.txt", "precious");
  for (const Words& more : {Words{}, Words{"--resume"}}) {
    const Ending ending = run_program(search(folder.path().string(), more));
    EXPECT_EQ(ending.exit_code, 2);
    EXPECT_EQ(ending.out, "");
    EXPECT_THAT(ending.err, HasSubstr(folder.path().string()));
    EXPECT_EQ(read_text(folder / "mine.txt"), "precious");
    EXPECT_EQ(files_below(folder.path()).size(), 1U);
  }
}

TEST(SearchCommand, AnEarlierSearchNeedsResumeWithTheSameOptions) {
  const TemporaryFolder folder;
  const std::string out = folder / "a";
  ASSERT_EQ(run_program(search(out, {"--trials", "10"})).exit_code, 0);
  const auto before = files_below(out);
  EXPECT_EQ(run_program(search(out, {"--trials", "10"})).exit_code, 2);
  for (const Words& other :
       {Words{"--trials", "11"}, Words{"--trials", "10", "--seeds", "2"},
        Words{"--trials", "10", "--instances", "2"}, Words{"--trials", "10", "--slots", "2"},
        Words{"--trials", "10", "--telling", "worst"}}) {
    Words words = other;
    words.push_back("--resume");
    const Ending ending = run_program(search(out, words));
    EXPECT_EQ(ending.exit_code, 2) << testing::PrintToString(other);
    EXPECT_EQ(ending.out, "");
    EXPECT_THAT(ending.err, HasSubstr("plan.json"));
  }
  EXPECT_EQ(files_below(out), before);
}

TEST(SearchCommand, AFolderThatCannotBeWrittenExitsWith3) {
  const TemporaryFolder folder;
  write_text(folder / "file", "");
  for (const std::string& out :
       {std::string("/proc/cubicbench"), (folder / "file/search").string()}) {
    const Ending ending = run_program(search(out));
    EXPECT_EQ(ending.exit_code, 3) << out;
    EXPECT_EQ(ending.out, "");
    EXPECT_THAT(ending.err, HasSubstr(out));
  }
  if (::geteuid() == 0) return;  // root may write everywhere
  std::filesystem::permissions(
      folder.path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
  EXPECT_EQ(run_program(search(folder / "a")).exit_code, 3);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
}

TEST(SearchCommand, EveryProblemOfTheCommandLineIsSaidAtOnce) {
  const TemporaryFolder folder;
  const Ending ending =
      run_program({"search", "tiny-lama", "--searcher", "randm,evolution:smple=3", "--trials", "0",
                   "--slots", "many", "--telling", "reasons", "--backend", "slurm"});
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_EQ(ending.out, "");
  for (const char* problem :
       {"unknown scenario \"tiny-lama\"; did you mean \"tiny-llama\"?", "did you mean \"random\"?",
        "did you mean \"sample\"?", "--trials: expected an integer in [1, 1000000000], got \"0\"",
        "--slots: expected an integer in [1, 65536], got \"many\"", "--telling: expected",
        "--backend: expected simulator, table, recorded:DIR, command:CMD or slurm:TEMPLATE, got "
        "\"slurm\"",
        "--out: expected DIR, got nothing"}) {
    EXPECT_THAT(ending.err, HasSubstr(problem));
  }
  EXPECT_THAT(files_below(folder.path()), IsEmpty());
}

TEST(SearchCommand, ABrokenScenarioLeavesNoFolder) {
  const TemporaryFolder folder;
  write_text(folder / "mine.json", "{\"schema\": 1}");
  const Ending ending =
      run_program({"search", folder / "mine.json", "--searcher", "random", "--out", folder / "a"});
  EXPECT_EQ(ending.exit_code, 2);
  EXPECT_THAT(ending.err, HasSubstr("mine.json#/schema: expected"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
}

}  // namespace
}  // namespace cubicbench::integration
