#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/cli/program.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::cli {
namespace {

using testing::HasSubstr;

TEST(Search, SaysAllThatIsMissing) {
  const Answer answer = ask("search");
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.out, "");
  EXPECT_EQ(answer.err,
            "search: expected a SCENARIO; see cubicbench search --help\n"
            "--searcher: expected NAME[,NAME...], got nothing; see cubicbench list searchers\n"
            "--out: expected DIR, got nothing\n");
}

TEST(Search, RefusesEachBadOptionAtItsName) {
  struct Case {
    const char* options;
    const char* message;
  };
  const TemporaryFolder parent;
  const std::string folder = parent / "new";
  for (const Case& c : {
           Case{"--trials 0", "--trials: expected an integer in [1, 1000000000], got \"0\"\n"},
           Case{"--seeds -1", "--seeds: expected an integer in [1, 1000000], got \"-1\"\n"},
           Case{"--instances 1.5",
                "--instances: expected an integer in [1, 1000000], got \"1.5\"\n"},
           Case{"--slots 70000", "--slots: expected an integer in [1, 65536], got \"70000\"\n"},
           Case{"--trials 1 --trials 2", "--trials: given 2 times\n"},
           Case{"--shard 3/2", "--shard: expected I/N with 1 <= I <= N <= 1000000, got \"3/2\"\n"},
           Case{"--permute=no", "--permute: takes no value\n"},
           Case{"--backend table",
                "--backend: expected simulator, recorded:DIR, command:CMD or slurm:TEMPLATE with "
                "tiny-llama, "
                "which has a model "
                "and no table of runs\n"},
           Case{"--backend slurm:nowhere/job.sh", "nowhere/job.sh: expected a file, got none\n"},
           Case{"--backend simulater",
                "--backend: expected simulator, table, recorded:DIR, command:CMD or "
                "slurm:TEMPLATE, got "
                "\"simulater\"\n"},
           Case{"--out other", "--out: given 2 times\n"},
           Case{"--resume=yes", "--resume: takes no value\n"},
           Case{"--trails 5", "--trails: unknown option; did you mean \"--trials\"?\n"},
           Case{"--searcher random", "--searcher: expected each one once, got random twice\n"},
           Case{"tiny-llama", "SCENARIO: expected each one once, got tiny-llama twice\n"},
           Case{"--plan /no/such/plan.json", "/no/such/plan.json: expected a file, got none\n"},
       }) {
    SCOPED_TRACE(c.options);
    const Answer answer =
        ask("search tiny-llama --searcher random --out " + folder + " " + c.options);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(answer.err, c.message);
    EXPECT_FALSE(std::filesystem::exists(folder));
  }
}

TEST(Search, SearchersAreSplitAtCommasAndGathered) {
  const Answer answer = ask("search tiny-llama --searcher randm,,random --searcher x --out y");
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(std::ranges::count(answer.err, '\n'), 3) << answer.err;
}

TEST(Search, APlanGivesWhatIsNotOnTheCommandLine) {
  const TemporaryFolder folder;
  const std::string first = folder / "first";
  const std::string second = folder / "second";
  const Answer asked =
      ask("search tiny-llama --searcher random --trials 5 --seeds 2 --json --out " + first);
  ASSERT_EQ(asked.code, 0) << asked.err;
  EXPECT_EQ(ask("search --plan " + first + "/plan.json --json --out " + second).out, asked.out);
  const Answer fewer =
      ask("search --plan " + first + "/plan.json --seeds 1 --json --out " + second);
  EXPECT_EQ(fewer.code, 2);  // the folder holds the other search
  EXPECT_THAT(fewer.err, HasSubstr("--resume"));
}

TEST(Search, OfASuiteScoresItsSearchers) {
  const TemporaryFolder folder;
  const std::string suite = (folder / "two.json").string();
  write_text(suite, R"({"schema": "cubicbench.suite/1", "name": "two", "score": 1, "seeds": 2,
    "problems": [{"scenario": "tiny-gpt", "trials": 12}, {"scenario": "tiny-llama", "trials": 9}]})");
  const std::string out = (folder / "out").string();
  const std::string search = "search --suite " + suite + " --searcher coordinate,constant --out ";
  const Answer answer = ask(search + out + " --json");
  ASSERT_EQ(answer.code, 0) << answer.err;
  const auto document = nlohmann::json::parse(answer.out);
  EXPECT_EQ(document["studies"].size(), 8U);
  EXPECT_EQ(document["studies"][0]["trials"], 12);
  EXPECT_EQ(document["studies"][7]["trials"], 9);
  ASSERT_EQ(document["score"].size(), 2U);
  EXPECT_EQ(document["score"][0]["searcher"], "coordinate");
  EXPECT_GT(document["score"][0]["score"], 0.5);
  EXPECT_EQ(document["score"][0]["studies"], 4);
  // The baseline is granted, so that whoever finds nothing scores 0.
  EXPECT_NEAR(document["score"][1]["score"], 0.0, 1e-12);
  EXPECT_THAT(ask(search + out + " --resume").out, HasSubstr("Suite two"));
  const std::string page = (folder / "page.html").string();
  EXPECT_EQ(ask("report " + out + " --out " + page).code, 0);
  EXPECT_THAT(read_text(page), HasSubstr("Suite two"));
  EXPECT_THAT(read_text(page), HasSubstr("What it can see"));

  EXPECT_THAT(ask(search + out + "2 tiny-gpt").err, HasSubstr("--suite: expected no SCENARIO"));
  EXPECT_THAT(ask("search --suite standart --searcher random --out x").err,
              HasSubstr("did you mean \"standard\"?"));
}

TEST(Paper, RefusesBadOptions) {
  const TemporaryFolder folder;
  EXPECT_EQ(ask("paper --trials 0 --seeds none").err,
            "--trials: expected an integer in [1, 1000000000], got \"0\"\n"
            "--seeds: expected an integer in [1, 1000000], got \"none\"\n");
  EXPECT_EQ(ask("paper --seeds 1000000 --out " + (folder / "never").string()).err,
            "--seeds, --instances: expected at most 1000000 studies, got 1 scenarios x 1 instances "
            "x 4 searchers x 1000000 seeds\n");
  EXPECT_EQ(ask("paper --out=").err, "--out: expected DIR, got nothing\n");
  EXPECT_EQ(ask("paper tiny-llama").err, "tiny-llama: unexpected argument\n");
}

TEST(Merge, PutsShardsTogether) {
  namespace fs = std::filesystem;
  const TemporaryFolder parent;
  const std::string folder = parent.path().string();
  const std::string options =
      " tiny-llama --searcher random,corner --seeds 2 --trials 8 --permute --out ";
  const std::string search = "search --json" + options;
  const Answer whole = ask(search + folder + "/whole");
  EXPECT_EQ(whole.code, 0) << whole.err;
  EXPECT_EQ(ask(search + folder + "/a --shard 1/2").code, 0);
  EXPECT_EQ(ask(search + folder + "/b --shard 2/2").code, 0);
  const std::string merge = "merge " + folder + "/b " + folder + "/a --out ";
  const Answer merged = ask(merge + folder + "/merged --json");
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(merged.out, whole.out);
  EXPECT_THAT(merged.out, HasSubstr("\"regret\": "));
  // The table too, of one folder after the other.
  const std::string table = ask("search" + options + folder + "/table").out;
  EXPECT_THAT(table, HasSubstr("  regret\n"));
  fs::remove_all(folder + "/table");
  EXPECT_EQ(ask(merge + folder + "/table").out, table);
  const Answer twice = ask(merge + folder + "/merged");
  EXPECT_EQ(twice.code, 2);
  EXPECT_EQ(twice.err,
            folder + "/merged: expected a new or empty folder, got one with \"finished.json\"\n");
  const Answer missing = ask("merge " + folder + "/b --out " + folder + "/c");
  EXPECT_EQ(missing.code, 2);
  EXPECT_EQ(missing.out, "");
  EXPECT_EQ(missing.err, "merge: expected shard 1/2 too, got none\n");
  EXPECT_EQ(ask("merge --out " + folder + "/c").code, 2);
  EXPECT_EQ(ask("merge " + folder + "/a").err, "--out: expected a path, got nothing\n");
  EXPECT_FALSE(fs::exists(folder + "/c"));
}

}  // namespace
}  // namespace cubicbench::cli
