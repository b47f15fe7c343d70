#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/program.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::cli {
namespace {

using Json = nlohmann::ordered_json;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;
using Words = std::vector<std::string>;

/// Conditions have spaces, so the words come one by one.
Answer landscape(Words words) {
  words.insert(words.begin(), "landscape");
  std::ostringstream out;
  std::ostringstream err;
  const int code = run(words, out, err);
  return {code, out.str(), err.str()};
}

Words keys_of(const Json& object) {
  Words keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

TEST(Landscape, DocumentHasTheSameKeysForModelsOfBothKinds) {
  const Answer answer =
      landscape({"tiny-gpt", "ads-73b", "--rows", "200", "--instance", "1", "--json"});
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
  const Json document = Json::parse(answer.out);
  EXPECT_EQ(keys_of(document), (Words{"schema", "version", "landscapes"}));
  EXPECT_EQ(document["schema"], "cubicbench.landscape/1");
  ASSERT_EQ(document["landscapes"].size(), 2U);
  for (const Json& of : document["landscapes"]) {
    EXPECT_EQ(keys_of(of), (Words{"scenario", "scenario_sha256", "truth_sha256", "instance",
                                  "objective", "configurations", "rows", "exhaustive", "status",
                                  "running", "baseline", "best_known", "log_variance", "total_rows",
                                  "importance", "importance_max", "climbs", "explained"}));
    Words ends{"ok", "oom_init", "oom_late", "timeout", "invalid"};
    if (of["scenario"] == "ads-73b") ends.push_back("numeric");
    EXPECT_EQ(keys_of(of["status"]), ends);
    EXPECT_EQ(keys_of(of["running"]), (Words{"p5", "p25", "p50", "p75", "p95"}));
    std::uint64_t rows = 0;
    for (const Json& status : of["status"]) rows += status["rows"].get<std::uint64_t>();
    EXPECT_EQ(rows, 200U);
    EXPECT_GE(of["best_known"]["over_baseline"], 1.0);
    EXPECT_GE(of["best_known"]["over_best_drawn"], 1.0);
  }
}

TEST(Landscape, BestKnownIsWhatSimulateSaysOfIt) {
  const Words asked{"tiny-llama", "--instance",        "1",     "--set",        "cluster.gpus=16",
                    "--set",      "tensor_parallel=1", "--set", "micro_batch=1"};
  const Answer answer = landscape(asked);
  EXPECT_EQ(answer.code, 0) << answer.err;
  const std::size_t begin = answer.out.find("cubicbench simulate ");
  ASSERT_NE(begin, std::string::npos);
  std::string line = answer.out.substr(begin + std::string("cubicbench ").size());
  line.erase(line.find('\n'));
  const Answer simulated = ask(line + " --json");
  EXPECT_EQ(simulated.code, 0) << simulated.err;
  Words as_json = asked;
  as_json.emplace_back("--json");
  const Json document = Json::parse(landscape(as_json).out);
  EXPECT_EQ(Json::parse(simulated.out)["objective"]["value"],
            document["landscapes"][0]["best_known"]["value"]);
}

TEST(Landscape, TextAndMarkdownSayTheSame) {
  const Answer text = landscape({"tiny-gpt"});
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, StartsWith("tiny-gpt: all 1,224 configurations."));
  const Answer markdown = landscape({"tiny-gpt", "tiny-llama", "--markdown"});
  EXPECT_EQ(markdown.code, 0);
  EXPECT_THAT(markdown.out, StartsWith("| scenario | configurations |"));
  for (const char* part : {"Best known: ", "Largest main effect: micro_batch, ",
                           "cubicbench simulate tiny-gpt --set "}) {
    EXPECT_THAT(text.out, HasSubstr(part));
  }
  EXPECT_THAT(text.out, ContainsRegex("Better than the baseline: [0-9.]+ % of those that run\\."));
  EXPECT_THAT(markdown.out, HasSubstr("\n## tiny-gpt\n"));
  EXPECT_THAT(markdown.out, HasSubstr("\n## tiny-llama\n"));
}

TEST(Landscape, WhereNothingRunsIsSaidWithoutTables) {
  const Words asked{"llama3-405b", "--rows", "100", "--set", "cluster.gpus=8"};
  const Answer text = landscape(asked);
  EXPECT_EQ(text.code, 0);
  EXPECT_THAT(text.out, HasSubstr("oom_init   100   100%\n\nThe baseline does not run: "));
  Words as_json = asked;
  as_json.insert(as_json.end(), {"--json", "--require", R"("importance_max.main" <= 1)"});
  const Answer json = landscape(as_json);
  EXPECT_EQ(json.code, 1);  // null makes a condition false
  const Json of = Json::parse(json.out)["landscapes"][0];
  EXPECT_TRUE(of["best_known"].is_null());
  EXPECT_TRUE(of["importance_max"].is_null());
  EXPECT_TRUE(of["running"]["p50"].is_null());
}

TEST(Landscape, RequirementsHoldOfEveryLandscape) {
  EXPECT_EQ(landscape({"tiny-gpt", "--require", R"("baseline.share_better" < 0.01)"}).code, 0);
  const Answer one = landscape({"tiny-gpt", "--require", R"("best_known.over_baseline" > 9)"});
  EXPECT_EQ(one.code, 1);
  EXPECT_EQ(one.out, landscape({"tiny-gpt"}).out);
  EXPECT_THAT(one.err, StartsWith("--require: \"best_known.over_baseline\" > 9 is false: "));
  const Answer two =
      landscape({"tiny-gpt", "tiny-llama", "--require", R"("importance_max.main" <= 0.5)"});
  EXPECT_EQ(two.code, 1);
  EXPECT_THAT(two.err, StartsWith("--require: \"importance_max.main\" <= 0.5 is false of "
                                  "tiny-gpt: \"importance_max.main\" is 0.6"));
}

TEST(Landscape, BadInputIsSaidAtOnce) {
  struct Case {
    Words words;
    std::string err;
  };
  for (const Case& c :
       {Case{{}, "landscape: expected a SCENARIO; see cubicbench landscape --help\n"},
        Case{{"nanotron-3.57b-128gpu"},
             "nanotron-3.57b-128gpu: expected a scenario with a model, got a table of runs: what "
             "was never measured has no value\n"},
        Case{{"tiny-gpt", "--rows", "99", "--instance", "-1", "--require", "1 <", "--json",
              "--markdown"},
             "--rows: expected an integer in [100, 10000000], got \"99\"\n"
             "--instance: expected an integer in [0, 2147483647], got \"-1\"\n"
             "--require: \"1 <\", column 4: expected a number, a name, a path in quotes or \"(\", "
             "got the end\n"
             "--markdown: expected no --json beside it: one of them is printed\n"}}) {
    const Answer answer = landscape(c.words);
    EXPECT_EQ(answer.code, 2);
    EXPECT_EQ(answer.out, "");
    EXPECT_EQ(answer.err, c.err);
  }
}

TEST(LandscapePage, HasAFigureAndItsNumbersForEachScenario) {
  const TemporaryFolder folder;
  const std::string out = (folder / "page").string();
  const Answer answer = ask("landscape tiny-llama tiny-gpt --rows 200 --out " + out);
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, testing::EndsWith("Open " + out + "/index.html in a browser.\n"));
  const std::string page = read_text(folder / "page/index.html");
  EXPECT_THAT(page, HasSubstr("<title>What search spaces look like</title>"));
  EXPECT_THAT(page, HasSubstr("<section id=\"tiny-llama\">"));
  EXPECT_THAT(page, HasSubstr("share of the variance"));
  for (const char* const file : {"tiny-llama.svg", "2-tiny-gpt.svg"}) {
    EXPECT_THAT(read_text(folder / "page" / file), HasSubstr("best known"));
  }
  const std::string csv = read_text(folder / "page/tiny-llama.csv");
  EXPECT_TRUE(csv.starts_with("share,value\n0,"));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 102);
  const auto value_at = [&](const std::string& share) {
    return std::stod(csv.substr(csv.find("\n" + share + ",") + share.size() + 2));
  };
  EXPECT_LT(value_at("0"), value_at("0.5"));  // from the worst to the best
  EXPECT_LT(value_at("0.5"), value_at("1"));
}

}  // namespace
}  // namespace cubicbench::cli
