#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "datasets/exhaustive/enumeration_json.h"
#include "support/csv.h"
#include "support/files.h"
#include "tests/cli/folder_test.h"
#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;
using testing::StartsWith;

class Enumerate : public FolderTest {};

TEST_F(Enumerate, PrintsTheFileThatItWrites) {
  const std::string file = path("a.json");
  const Answer answer = ask("enumerate tiny-llama --json --out " + file);
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
  EXPECT_EQ(answer.out, support::read_file(file));
  const datasets::Enumeration read = datasets::read_enumeration(file);
  EXPECT_EQ(read.scenario, "tiny-llama");
  EXPECT_EQ(read.configurations, 1530U);
  EXPECT_EQ(read.valued, 1530U);
  ASSERT_TRUE(read.optimum.has_value());
  EXPECT_TRUE(read.optimum->certified);
  EXPECT_EQ(read.optimum->value, read.quantiles.back());
  EXPECT_FALSE(read.best_of_k.empty());
}

TEST_F(Enumerate, OptimumIsWhatSimulateSaysOfIt) {
  for (const std::string more : {"", " --instance 2", " --set cluster.gpus=16"}) {
    const Json document = Json::parse(ask("enumerate tiny-llama --json" + more).out);
    std::string line = "simulate tiny-llama --json" + more;
    for (const auto& [name, value] : document["optimum"]["configs"][0].items()) {
      line +=
          " --set " + name + "=" + (value.is_string() ? value.get<std::string>() : value.dump());
    }
    const Json simulated = Json::parse(ask(line).out);
    EXPECT_EQ(simulated["objective"]["value"], document["optimum"]["value"]) << line;
    const Json baseline = Json::parse(ask("simulate tiny-llama --json" + more).out);
    EXPECT_EQ(baseline["objective"]["value"], document["baseline"]["value"]) << more;
  }
}

TEST_F(Enumerate, SetMovesTheBaseline) {
  const Json plain = Json::parse(ask("enumerate tiny-gpt --json").out);
  const Json moved = Json::parse(ask("enumerate tiny-gpt --json --set micro_batch=1").out);
  EXPECT_EQ(plain["optimum"], moved["optimum"]);
  EXPECT_EQ(plain["quantiles"], moved["quantiles"]);
  EXPECT_NE(plain["baseline"], moved["baseline"]);
}

TEST_F(Enumerate, CountsOnlyOptimaThatBoundsFindToo) {
  const Json all = Json::parse(ask("enumerate tiny-gpt --json").out);
  const Json bounded = Json::parse(ask("enumerate tiny-gpt --json --optimum-only").out);
  EXPECT_EQ(bounded["optimum"], all["optimum"]);
  EXPECT_EQ(bounded["rejected_by"], all["rejected_by"]);
  for (const char* key : {"failures", "quantiles", "best_of_k"}) {
    EXPECT_TRUE(bounded[key].is_null()) << key;
  }
  EXPECT_TRUE(bounded["baseline"]["share_better"].is_null());
}

TEST_F(Enumerate, TableHasARowAConfiguration) {
  const std::string file = path("t.csv");
  const Json document = Json::parse(ask("enumerate tiny-gpt --json --table " + file).out);
  const std::string text = support::read_file(file);
  const support::CsvTable table = support::read_csv(text, file);
  EXPECT_EQ(table.records.size(), document["configurations"]);
  const std::size_t value = table.column("value").value();
  const std::size_t reason = table.column("reason").value();
  std::uint64_t failed = 0;
  double best = 0.0;
  std::set<std::string> different;
  for (const support::CsvRecord& record : table.records) {
    different.insert(std::string(record.text));
    const bool fails = !record.cells[reason].text.empty();
    EXPECT_EQ(record.cells[value].text.empty(), fails);
    failed += fails ? 1 : 0;
    if (!fails) best = std::max(best, std::stod(record.cells[value].text));
  }
  EXPECT_EQ(different.size(), table.records.size());
  EXPECT_EQ(best, document["optimum"]["value"]);
  std::uint64_t expected = 0;
  for (const Json& count : document["failures"]) expected += count.get<std::uint64_t>();
  EXPECT_EQ(failed, expected);
}

TEST_F(Enumerate, RefusesWhatCannotBe) {
  struct Case {
    const char* line;
    const char* message;
  };
  for (const Case& c : std::vector<Case>{
           {"enumerate", "enumerate: expected a SCENARIO; see cubicbench enumerate --help"},
           {"enumerate tiny-gtp", "tiny-gtp: "},
           {"enumerate tiny-gpt --shard 4/3", "--shard: expected I/N with 1 <= I <= N"},
           {"enumerate tiny-gpt --shard 1", "--shard: expected I/N"},
           {"enumerate tiny-gpt --shard 01/3", "--shard: expected I/N"},
           {"enumerate tiny-gpt --shard 1/3", "--shard: expected with --out FILE.json"},
           {"enumerate tiny-gpt --limit 3", "--limit: expected with --optimum-only"},
           {"enumerate tiny-gpt --all --optimum-only", "--all: expected without --optimum-only"},
           {"enumerate tiny-gpt --best-of 10001", "--best-of: expected an integer in [1, 10000]"},
           {"enumerate tiny-gpt --optimum-only --sketch", "--sketch: expected where all is valued"},
           {"enumerate tiny-gpt --optimum-only --table t.csv", "--table: expected where all"},
           {"enumerate llama3-405b --table t.csv",
            "--table: expected at most 2,000,000 configurations, got 19,996,096"},
           {"enumerate tiny-gpt --out a --table ./a", "--table: expected another file than --out"},
           {"enumerate tiny-gpt --instance -1", "--instance: expected an integer in [0, "},
           {"enumerate nanotron-80b-64gpu --instance 1", "--instance: expected 0 with a table"},
           {"merge", "merge: expected the shards to merge"},
           {"merge nowhere.json --out a.json", "nowhere.json: expected a file, got none"}}) {
    const Answer answer = ask(c.line);
    EXPECT_EQ(answer.code, 2) << c.line;
    EXPECT_EQ(answer.out, "") << c.line;
    EXPECT_THAT(answer.err, StartsWith(c.message)) << c.line;
  }
}

TEST_F(Enumerate, NeedsNoFolderForTemporaryFiles) {
  const char* const given = std::getenv("TMPDIR");
  const std::string before = given == nullptr ? "" : given;
  ::setenv("TMPDIR", "/nonexistent", 1);
  const Answer answer = ask("enumerate tiny-gpt");
  given == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before.c_str(), 1);
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
}

TEST_F(Enumerate, SaysOfATableWhatWasMeasured) {
  const Answer answer = ask("enumerate nanotron-1.34b-16gpu");
  EXPECT_EQ(answer.code, 0);
  EXPECT_THAT(answer.out, HasSubstr("measured runs"));
  EXPECT_THAT(answer.out, HasSubstr("The table states no baseline."));
  const Json document = Json::parse(ask("enumerate nanotron-1.34b-16gpu --json").out);
  EXPECT_TRUE(document["baseline"].is_null());
}

TEST_F(Enumerate, MergeTakesShardsOnly) {
  const std::string file = path("whole.json");
  ASSERT_EQ(ask("enumerate tiny-gpt --out " + file).code, 0);
  const Answer answer = ask("merge " + file + " --out " + path("b.json"));
  EXPECT_EQ(answer.code, 2);
  EXPECT_EQ(answer.err, file +
                            "#/schema: expected \"cubicbench.enumeration_shard/1\", got "
                            "\"cubicbench.enumeration/1\"\n");
}

TEST_F(Enumerate, TextSaysWhatAPersonWants) {
  const Answer answer = ask("enumerate tiny-gpt");
  EXPECT_EQ(answer.code, 0);
  for (const char* text : {"tiny-gpt: all 1,224 configurations evaluated.", "rejected by",
                           "Optimum, certified:", "best of 10 drawn at random",
                           "Better than the baseline:", "cubicbench simulate tiny-gpt"}) {
    EXPECT_THAT(answer.out, HasSubstr(text));
  }
}

}  // namespace
}  // namespace cubicbench::cli
