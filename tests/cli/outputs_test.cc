// What commands write: asked for where it cannot be, before the work.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/cli/folder_test.h"
#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

/// A command line that wants a path, of which many would take minutes.
struct Wanting {
  std::string line;
  std::string option;
  std::string ending{};  ///< of a file's name; "": a folder's
};

class Outputs : public FolderTest {
 protected:
  void search() const {
    ASSERT_EQ(ask("search tiny-gpt --searcher random --trials 2 --quiet --out " + path("s")).code,
              0);
  }

  std::vector<Wanting> all() const {
    const std::string s = path("s");
    return {{"calibrate --stack mosaicml-fsdp1-2023", "--out", ".json"},
            {"compare " + s + " " + s, "--junit", ".xml"},
            {"compare " + s + " " + s, "--markdown", ".md"},
            {"dataset generate llm-history --jobs 1000000", "--out", ".csv"},
            {"dataset import " + s, "--out", ".csv"},
            {"dataset split hf_ultrascale_nanotron_sweep --split random --train 5", "--out"},
            {"enumerate ads-73b --all --quiet", "--out", ".json"},
            {"enumerate ads-73b --all --quiet --shard 1/2", "--out", ".json"},
            {"enumerate tiny-gpt --quiet", "--table", ".csv"},
            {"enumerate ads-73b --all --quiet", "--page"},
            {"export " + s + " --format csv", "--out"},
            {"family moe --members 10000", "--out", ".json"},
            {"glossary", "--markdown", ".md"},
            {"import " + s, "--out", ".csv"},
            {"landscape ads-73b --rows 10000000", "--out"},
            {"launch tiny-llama --for torchtitan@main", "--out", ".py"},
            {"leaderboard", "--out", ".html"},
            {"leaderboard", "--markdown", ".md"},
            {"lesson", "--out"},
            {"lesson", "--slides"},
            {"lesson", "--markdown"},
            {"predict ads-73b --rows 100000", "--out"},
            {"report " + s, "--out", ".html"},
            {"simulate llama3-405b --engine event", "--trace", ".json"},
            {"suite standard", "--markdown", ".md"},
            {"sweep ads-73b --set global_batch=1..90000 --quiet", "--table", ".csv"},
            {"sweep ads-73b --set global_batch=1..90000 --quiet", "--out"},
            {"timeline llama3-405b", "--out", ".svg"},
            {"validate --ablation", "--out"},
            {"validate --ablation", "--markdown", ".md"}};
  }
};

TEST_F(Outputs, ThatCannotBeWrittenAreRefusedBeforeTheWork) {
  search();
  for (const Wanting& one : all()) {
    const std::string place = "/proc/none/out" + one.ending;
    const Answer answer = ask(one.line + " " + one.option + " " + place);
    EXPECT_EQ(answer.code, 3) << one.line << answer.err;
    EXPECT_EQ(answer.out, "") << one.line;
    EXPECT_THAT(answer.err, StartsWith(one.option + ": cannot write " + place + ": ")) << one.line;
  }
}

TEST_F(Outputs, TakeNoNameOfAFolder) {
  search();
  for (const Wanting& one : all()) {
    if (one.ending.empty()) continue;
    const std::string place = path("folder" + one.ending);
    fs::create_directory(place);
    const Answer answer = ask(one.line + " " + one.option + " " + place);
    EXPECT_EQ(answer.code, 3) << one.line;
    EXPECT_EQ(answer.err, one.option + ": cannot write " + place + ": Is a directory\n");
    EXPECT_TRUE(fs::is_empty(place)) << one.line;
  }
}

TEST_F(Outputs, ComeWithoutWhatStandsBesideThem) {
  fs::create_directory(path("a.json.values"));
  write("page", "");
  EXPECT_EQ(ask("enumerate ads-73b --all --quiet --shard 1/2 --out " + path("a.json")).err,
            "--out: cannot write " + path("a.json.values") + ": Is a directory\n");
  EXPECT_EQ(ask("suite standard --markdown " + path("page.md")).err,
            "--markdown: cannot write " + path("page") + ": " + path("page") +
                " is no folder that can be written\n");
}

TEST_F(Outputs, LeaveTheFilesOfASearchAlone) {
  search();
  const std::string journal = "s/journals/tiny-gpt.0.random.0.jsonl";
  const std::string plan = read("s/plan.json");
  const std::string before = read(journal);
  fs::create_directory_symlink(path("s/journals"), path("elsewhere"));
  for (const std::string& name :
       {std::string("s/plan.json"), std::string("s/finished.json"), journal,
        std::string("s/truth/new.json"), std::string("elsewhere/tiny-gpt.0.random.0.jsonl")}) {
    for (const char* line :
         {"enumerate tiny-gpt --quiet --out ", "simulate tiny-gpt --engine event --trace "}) {
      const Answer answer = ask(line + path(name));
      EXPECT_EQ(answer.code, 2) << name;
      EXPECT_THAT(answer.err, HasSubstr("expected another file than those of a search, got \""))
          << name;
    }
  }
  EXPECT_EQ(read("s/plan.json"), plan);
  EXPECT_EQ(read(journal), before);
  EXPECT_EQ(ask("report " + path("s") + " --out " + path("s/report.html")).code, 0);
  EXPECT_EQ(ask("enumerate tiny-gpt --quiet --out " + path("plan.json")).code, 0);
}

TEST_F(Outputs, AreSpokenOfOnceTheRestIsRight) {
  const Answer answer = ask("timeline tiny-gpt --instance x --out /proc/none/t.svg");
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err, StartsWith("--instance: expected an integer"));
}

}  // namespace
}  // namespace cubicbench::cli
