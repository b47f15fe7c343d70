#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "datasets/exhaustive/enumerate.h"
#include "datasets/exhaustive/enumeration_json.h"
#include "scenarios/readers/scenario_reader.h"
#include "scenarios/truth/instance.h"
#include "support/json/json_document.h"
#include "tests/cli/program.h"
#include "tests/search/written_search.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using search::write_study;
using testing::ElementsAre;
using testing::HasSubstr;

const search::WrittenStudy study{.launches = {{.value = 3.0}, {.value = 0.0, .reason = "infra"}}};

TEST(ReportCommand, WritesThePageAndSaysWhatItWrote) {
  const TemporaryFolder folder;
  write_study(folder.path() / "in", "a", study);
  const std::string in = (folder.path() / "in").string();
  const std::string page = (folder.path() / "page.html").string();
  const Answer answer = ask("report " + in + " --out " + page);
  EXPECT_EQ(answer.err, "");
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.out, page + "\n" + (folder.path() / "page.made-up.svg").string() + "\n" +
                            (folder.path() / "page.made-up.csv").string() + "\n");
  EXPECT_THAT(read_text(page), HasSubstr("number of jobs launched (failed ones count)"));

  const Answer json =
      ask("report " + in + " --out " + page + " --hide-failures --permutations 7 --json");
  const auto document = nlohmann::ordered_json::parse(json.out);
  EXPECT_EQ(document.at("schema"), "cubicbench.report/1");
  EXPECT_EQ(document.at("studies"), 1);
  EXPECT_THAT(document.at("files").get<std::vector<std::string>>(),
              ElementsAre("page.html", "page.made-up.svg", "page.made-up.csv"));
  EXPECT_THAT(read_text(page), HasSubstr("--hide-failures --permutations 7"));
  EXPECT_THAT(read_text(page), HasSubstr("mean of 7 orders"));
}

TEST(ReportCommand, MakesItsFolderAndIsNotSilencedByQuiet) {
  const TemporaryFolder folder;
  write_study(folder.path() / "in", "a", study);
  const std::string page = (folder.path() / "new" / "er" / "page.html").string();
  const Answer answer = ask("report " + (folder.path() / "in").string() + " --quiet --out " + page);
  EXPECT_EQ(answer.err, "");
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.out, testing::StartsWith(page + "\n"));
  EXPECT_TRUE(fs::exists(page));
}

TEST(ReportCommand, RefusesBadInputWithOneMessage) {
  const TemporaryFolder folder;
  const std::string missing = (folder.path() / "missing").string();
  struct Case {
    std::string line;
    std::string message;
  };
  for (const Case& c : {
           Case{"report --out x.html",
                "report: expected the folder of a search; see cubicbench report --help\n"},
           Case{"report d", "--out: expected a file name that ends in .html, got nothing\n"},
           Case{"report d --out x.pdf",
                "--out: expected a file name that ends in .html, got \"x.pdf\"\n"},
           Case{"report d --out x.html --permutations 0",
                "--permutations: expected an integer in [1, 1000000], got \"0\"\n"},
           Case{"report " + missing + " --out x.html",
                missing + ": expected the folder of a search, got none\n"},
       }) {
    SCOPED_TRACE(c.line);
    const Answer answer = ask(c.line);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(answer.err, c.message);
  }
}

TEST(ReportCommand, MeasuresRegretByAFileOfEnumerate) {
  const TemporaryFolder folder;
  const scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  const scenarios::Instance instance(scenario, 0);
  search::WrittenStudy written{
      .scenario = scenario.name,
      .truth_sha256 = truth_sha256(instance),
      .scenario_sha256 = scenario.sha256,
      .objective = scenario.objective,
      .launches = {{.value = 2e5, .truth = 2.1e5}, {.value = 0.0, .reason = "infra"}}};
  write_study(folder.path() / "in", "a", written);
  datasets::Enumeration space = datasets::value_small_space(instance, written.truth_sha256, 10);
  const std::string file = (folder.path() / "space.json").string();
  write_text(file, support::document_text(datasets::enumeration_json(space)));
  const std::string line = "report " + (folder.path() / "in").string() + " --out " +
                           (folder.path() / "page.html").string() + " --optimum " + file;
  const Answer json = ask(line + " --json");
  EXPECT_EQ(json.err, "");
  const auto document = nlohmann::ordered_json::parse(json.out);
  const auto& problem = document.at("problems").at(0);
  EXPECT_EQ(problem.at("optimum").at("note"),
            "Optimum and distribution of tiny-llama: space.json.");
  const double best = space.optimum->value;
  const double median = space.quantiles[2048];
  EXPECT_EQ(problem.at("searchers").at(0).at("regret").at("mean"),
            (best - 2.1e5) / (best - median));
  EXPECT_THAT(read_text(folder.path() / "page.html"), HasSubstr(" --optimum space.json"));
  EXPECT_TRUE(fs::exists(folder.path() / "page.tiny-llama.regret.csv"));

  space.truth_sha256 = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
  write_text(file, support::document_text(datasets::enumeration_json(space)));
  const Answer stale = ask(line);
  EXPECT_EQ(stale.code, 2);
  EXPECT_EQ(stale.out, "");
  EXPECT_EQ(stale.err,
            file +
                ": expected an enumeration of what these studies searched, got one of another "
                "truth (truth_sha256 differs: the simulator has changed)\n");
  const Answer missing = ask(line + ".none");
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("space.json.none"));
}

TEST(ReportCommand, ExitsWith3WhereNothingCanBeWritten) {
  const TemporaryFolder folder;
  write_study(folder.path() / "in", "a", study);
  write_text(folder.path() / "file", "");
  const Answer answer = ask("report " + (folder.path() / "in").string() + " --out " +
                            (folder.path() / "file" / "page.html").string());
  EXPECT_EQ(answer.code, 3);
  EXPECT_EQ(answer.out, "");
  EXPECT_THAT(answer.err, HasSubstr("cannot write"));
}

}  // namespace
}  // namespace cubicbench::cli
