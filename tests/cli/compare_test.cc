#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/folder_test.h"
#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

using testing::HasSubstr;

class CompareCommand : public FolderTest {
 protected:
  /// Ten launches with each of eight seeds.
  std::string searched(const std::string& name, const std::string& more) const {
    const Answer answer =
        ask("search tiny-llama --trials 10 --seeds 8 --quiet --out " + path(name) + " " + more);
    EXPECT_EQ(answer.code, 0) << answer.err;
    return path(name);
  }
};

TEST_F(CompareCommand, SaysWhichOfTwoSearchersIsBetter) {
  const std::string both = searched("both", "--searcher random,constant --start none");
  const Answer worse = ask("compare " + both + " " + both + " --searcher random,constant --json" +
                           " --junit " + path("c.xml") + " --markdown " + path("c.md"));
  EXPECT_EQ(worse.code, 1);
  EXPECT_THAT(worse.err, HasSubstr("compare: the answer is no: Worse: "));
  const auto document = nlohmann::json::parse(worse.out);
  EXPECT_EQ(document.at("verdict"), "worse");
  EXPECT_EQ(document.at("pairs"), 8);
  EXPECT_LT(document.at("score").at("high").get<double>(), 0.0);
  EXPECT_THAT(read("c.xml"), HasSubstr("<failure"));
  EXPECT_THAT(read("c.md"), HasSubstr("**Worse**"));
  const Answer better = ask("compare " + both + " " + both + " --searcher constant,random");
  EXPECT_EQ(better.code, 0) << better.err;
  EXPECT_THAT(better.out, testing::StartsWith("Better: the candidate gains score."));
}

TEST_F(CompareCommand, CallsTheSameSearchNotWorseAndNotBetter) {
  const std::string folder = searched("one", "--searcher random");
  const Answer same = ask("compare " + folder + " " + folder);
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_THAT(same.out, testing::StartsWith("Not worse: "));
  EXPECT_EQ(ask("compare " + folder + " " + folder + " --question better").code, 1);
  EXPECT_EQ(ask("compare " + folder + " " + folder + " --threads 1").out, same.out);
}

TEST_F(CompareCommand, RefusesBadInput) {
  const std::string both = searched("both", "--searcher random,corner");
  const std::string twice = both + " " + both;
  struct Case {
    std::string line, message;
  };
  for (const Case& c :
       {Case{twice, "expected --searcher, which of random, corner is compared, got none"},
        Case{twice + " --searcher sobol",
             "--searcher: expected one of random, corner, the searchers of " + both +
                 ", got \"sobol\""},
        Case{twice + " --searcher a,b,c", "--searcher: expected one or two, got 3"},
        Case{both + " " + path("none") + " --searcher random",
             "expected the folder of a search, got none"},
        Case{twice + " --searcher random --margin 0",
             "--margin: expected a number above 0 and below 1, got \"0\""},
        Case{twice + " --searcher random --alpha 0.5",
             "--alpha: expected a number above 1e-9 and below 0.5, got \"0.5\""},
        Case{both, "CANDIDATE"}}) {
    const Answer answer = ask("compare " + c.line);
    EXPECT_EQ(answer.code, 2) << c.line;
    EXPECT_EQ(answer.out, "");
    EXPECT_THAT(answer.err, HasSubstr(c.message));
  }
}

TEST_F(CompareCommand, RefusesSearchesThatGoOn) {
  const std::string folder = searched("one", "--searcher random");
  const std::string file = "one/journals/tiny-llama.0.random.3.jsonl";
  const std::string text = read(file);
  write(file, text.substr(0, text.rfind('\n', text.size() - 2) + 1));
  const Answer short_one = ask("compare " + folder + " " + folder);
  EXPECT_EQ(short_one.code, 2);
  EXPECT_THAT(short_one.err, HasSubstr("expected a finished study, got one that goes on"));
  std::filesystem::remove(path(file));
  const Answer missing = ask("compare " + folder + " " + folder);
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("expected 8 finished studies of random, got 7"));
}

TEST_F(CompareCommand, RefusesOtherBudgets) {
  const std::string ten = searched("ten", "--searcher random");
  const Answer search = ask(
      "search tiny-llama --trials 11 --seeds 8 --searcher random --quiet --out " + path("more"));
  ASSERT_EQ(search.code, 0) << search.err;
  const Answer answer = ask("compare " + ten + " " + path("more"));
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, HasSubstr("expected a budget of 10 launches for tiny-llama"));
}

// Seeds may be spread over the searches in a folder.
TEST_F(CompareCommand, ReadsAFolderOfSearches) {
  const std::string whole = searched("whole", "--searcher random");
  for (const std::string part : {"parts/a --first-seed 0", "parts/b --first-seed 4"}) {
    const Answer search = ask(
        "search tiny-llama --trials 10 --seeds 4 --searcher random --quiet --out " + path(part));
    ASSERT_EQ(search.code, 0) << search.err;
  }
  const Answer answer = ask("compare " + whole + " " + path("parts") + " --json");
  EXPECT_EQ(answer.code, 0) << answer.err;
  const auto document = nlohmann::json::parse(answer.out);
  EXPECT_EQ(document.at("seeds"), 8);
  EXPECT_EQ(document.at("score").at("low"), 0.0);
  EXPECT_EQ(document.at("score").at("high"), 0.0);
}

TEST_F(CompareCommand, VerifyAnswersWithItsExitCode) {
  const std::string folder = searched("one", "--searcher random");
  const Answer good = ask("verify " + folder);
  EXPECT_EQ(good.code, 0) << good.err << good.out;
  EXPECT_THAT(good.out, testing::StartsWith("The search is what the simulator answers: 80 launches "
                                            "of 8 studies"));
  const std::string file = "one/journals/tiny-llama.0.random.3.jsonl";
  std::string text = read(file);
  const std::size_t at = text.find("\"cost_gpu_hours\":") + 17;
  text[at] = text[at] == '1' ? '2' : '1';
  write(file, text);
  const Answer bad = ask("verify " + folder + " --json");
  EXPECT_EQ(bad.code, 1);
  const auto document = nlohmann::json::parse(bad.out);
  EXPECT_EQ(document.at("launches"), 80);
  EXPECT_EQ(document.at("checked"), 80);
  ASSERT_EQ(document.at("differences").size(), 1U);
  EXPECT_EQ(document.at("differences")[0].at("study"), "tiny-llama.0.random.3");
  EXPECT_EQ(document.at("differences")[0].at("trial"), 0);
  EXPECT_EQ(ask("verify " + path("none")).code, 2);
}

// A reference says the same as the folder that it was made of.
TEST_F(CompareCommand, ReadsReferences) {
  const std::string folder = searched("one", "--searcher random");
  const std::string other = searched("two", "--searcher corner");
  const Answer exported = ask("export " + folder + " --format reference --out " + path("ref"));
  EXPECT_EQ(exported.code, 0) << exported.err;
  EXPECT_EQ(exported.out, path("ref") + "/random.json\n");
  const Answer of_folder = ask("compare " + folder + " " + other + " --json");
  const Answer of_reference =
      ask("compare reference:" + path("ref/random.json") + " " + other + " --json");
  EXPECT_EQ(of_reference.out, of_folder.out) << of_reference.err;

  std::string text = read("ref/random.json");
  text.replace(text.find("\"score\": ["), 10, "\"score\": [0.5,");
  write("ref/broken.json", text);
  const Answer broken = ask("compare reference:" + path("ref/broken.json") + " " + other);
  EXPECT_EQ(broken.code, 2);
  EXPECT_THAT(broken.err, HasSubstr("#/problems/0/score: expected 8 numbers, got 9"));
  const Answer unknown = ask("compare reference:nobody " + other);
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("reference:nobody: expected a reference that ships"));
}

TEST_F(CompareCommand, ExportsCsv) {
  const std::string folder = searched("one", "--searcher random");
  const Answer answer = ask("export " + folder + " --format csv --json --out " + path("csv"));
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(nlohmann::json::parse(answer.out).at("files"),
            (nlohmann::json{"launches.csv", "studies.csv"}));
  const std::string launches = read("csv/launches.csv");
  EXPECT_EQ(std::count(launches.begin(), launches.end(), '\n'), 81);
  EXPECT_THAT(launches, HasSubstr("\ntiny-llama,0,random,0,0,0,"));
  EXPECT_THAT(launches, HasSubstr("\"{\"\"tensor_parallel\"\":"));
  EXPECT_EQ(ask("export " + folder + " --out " + path("x")).code, 2);
}

TEST_F(CompareCommand, RefusesRoundsThatCannotBe) {
  const std::string folder = searched("one", "--searcher random");
  struct Case {
    std::string options, message;
  };
  for (const Case& c : {Case{"--until-decided", "--until-decided: expected --run"},
                        Case{"--max-seeds 5", "--max-seeds: expected --until-decided beside it"},
                        Case{"--run true", "--run: expected a command with {out} in it"}}) {
    const Answer answer = ask("compare " + folder + " " + path("new") + " " + c.options);
    EXPECT_EQ(answer.code, 2) << c.options;
    EXPECT_THAT(answer.err, HasSubstr(c.message));
  }
}

}  // namespace
}  // namespace cubicbench::cli
