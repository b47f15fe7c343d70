#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/problem/table_scenario.h"
#include "predictor/learners/registry.h"
#include "search/searchers/registry.h"
#include "tests/cli/program.h"

namespace cubicbench::cli {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

Json list_json(const std::string& shelf) {
  const Answer answer = ask("list " + shelf + " --json");
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err, "");
  return Json::parse(answer.out);
}

TEST(List, JsonHasSchemaVersionAndTheShelf) {
  for (const char* shelf : {"scenarios", "families", "searchers", "predictors", "devices",
                            "networks", "stacks", "datasets"}) {
    SCOPED_TRACE(shelf);
    const Json document = list_json(shelf);
    ASSERT_EQ(document.size(), 3U);
    EXPECT_EQ(document["schema"], "cubicbench.list/1");
    EXPECT_EQ(document["version"], CUBICBENCH_VERSION);
    ASSERT_TRUE(document[shelf].is_array());
    for (const Json& entry : document[shelf]) {
      EXPECT_TRUE(entry["name"].is_string());
      EXPECT_TRUE(entry["summary"].is_string());
    }
  }
}

TEST(List, ScenariosTellGpusAndTheSizeOfTheirSpace) {
  const Json scenarios = list_json("scenarios")["scenarios"];
  ASSERT_FALSE(scenarios.empty());
  for (const Json& entry : scenarios) {
    SCOPED_TRACE(entry.dump());
    const auto scenario = datasets::read_scenario(entry["name"].get<std::string>());
    EXPECT_EQ(entry["gpus"], scenario.space.facts().gpus);
    EXPECT_EQ(entry["configurations"], scenario.space.count());
    EXPECT_GT(entry["configurations"], 1);
  }
}

TEST(List, WithoutAWordListsScenarios) {
  const Answer answer = ask("list");
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.out, ask("list scenarios").out);
  EXPECT_EQ(answer.out.substr(0, 4), "NAME");
  EXPECT_THAT(answer.out, HasSubstr("CONFIGURATIONS"));
}

TEST(List, TextHasEveryNameAndNoLineBeyond80Columns) {
  for (const char* shelf : {"scenarios", "families", "searchers", "predictors", "devices",
                            "networks", "stacks", "datasets"}) {
    SCOPED_TRACE(shelf);
    const std::string text = ask(std::string("list ") + shelf).out;
    const Json document = list_json(shelf);
    for (const Json& entry : document[shelf]) {
      EXPECT_THAT(text, HasSubstr("\n" + entry["name"].get<std::string>() + " "));
    }
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 80U) << line;
    }
  }
}

TEST(List, SearchersAreThoseOfTheRegistry) {
  const Json document = list_json("searchers")["searchers"];
  const std::string text = ask("list searchers").out;
  ASSERT_EQ(document.size(), search::searchers().size());
  for (std::size_t i = 0; i < document.size(); ++i) {
    const search::SearcherEntry& entry = search::searchers()[i];
    SCOPED_TRACE(entry.name);
    EXPECT_EQ(document[i]["name"], entry.name);
    EXPECT_EQ(document[i]["summary"], entry.summary);
    ASSERT_EQ(document[i]["options"].size(), entry.options.size());
    for (std::size_t k = 0; k < entry.options.size(); ++k) {
      const search::SearcherOption& option = entry.options[k];
      EXPECT_EQ(document[i]["options"][k]["name"], option.name);
      EXPECT_EQ(document[i]["options"][k]["default"], option.otherwise);
      EXPECT_THAT(text, HasSubstr(std::string(option.name) + "="));
    }
  }
}

TEST(List, ShowsAnOptionWithItsRange) {
  const Json searchers = list_json("searchers")["searchers"];
  for (const Json& searcher : searchers) {
    if (searcher["name"] != "evolution") continue;
    EXPECT_EQ(
        searcher["options"][1].dump(),
        R"({"name":"sample","summary":"how many of them compete to be the parent of the next",)"
        R"("default":10,"min":1,"max":100000,"integer":true})");
  }
  // The text has the same in its words, wherever its lines end.
  std::istringstream words(ask("list searchers").out);
  std::string text;
  for (std::string word; words >> word;) text += word + " ";
  EXPECT_THAT(text, HasSubstr("sample=10 (1 to 100000; how many of them compete to be the parent"));
  EXPECT_THAT(text, HasSubstr("crossover=0.5 (0 to 1; share of the coordinates"));
}

TEST(List, DatasetsTellTheirKind) {
  const Json document = list_json("datasets")["datasets"];
  ASSERT_EQ(document.size(), datasets::named_datasets().size());
  for (const Json& entry : document) {
    SCOPED_TRACE(entry.dump());
    const std::string name = entry["name"];
    EXPECT_EQ(entry["measured"], name != "llm-history");
    EXPECT_EQ(entry["kind"], name == "nccl_tests_sweeps" || name == "other_collective_points" ||
                                     name == "vtrain_allreduce_luts" ||
                                     name == "xla_collective_tables"
                                 ? "collectives"
                             : name == "mlperf_dlrm_results" || name == "training_throughput" ||
                                     name == "wide_deep_hstu"
                                 ? "recommendation"
                                 : "runs");
  }
}

TEST(List, PredictorsTellWhoAsksTheSimulator) {
  const Json document = list_json("predictors")["predictors"];
  ASSERT_EQ(document.size(), predictor::predictors().size());
  for (std::size_t i = 0; i < document.size(); ++i) {
    const predictor::PredictorEntry& entry = predictor::predictors()[i];
    SCOPED_TRACE(entry.name);
    ASSERT_EQ(document[i].size(), 3U);
    EXPECT_EQ(document[i]["name"], entry.name);
    EXPECT_EQ(document[i]["summary"], entry.summary);
    EXPECT_EQ(document[i]["privileged"], entry.asks_simulator);
  }
}

TEST(List, SettingsHaveAllThatTheContractSays) {
  const Json document = Json::parse(ask("list settings --json").out);
  EXPECT_EQ(document["schema"], "cubicbench.list/1");
  ASSERT_EQ(document["settings"].size(), scenarios::settings().size());
  for (const Json& setting : document["settings"]) {
    SCOPED_TRACE(setting["name"].get<std::string>());
    for (const char* key : {"type", "applies_to", "meaning", "source"}) {
      EXPECT_FALSE(setting[key].get<std::string>().empty()) << key;
    }
    EXPECT_FALSE(setting["values"].empty());
    EXPECT_TRUE(setting.contains("default"));
  }
  EXPECT_EQ(document["settings"][0]["default"], nullptr);
  EXPECT_EQ(document["settings"][1]["default"], 1);
  EXPECT_EQ(document["settings"][1]["name"], "tensor_parallel");
  EXPECT_EQ(document["settings"][1]["applies_to"], "transformers");
  EXPECT_EQ(document["settings"][1]["values"], Json::parse(R"([{"min":1,"max":16384}])"));
  EXPECT_EQ(ask("list knobs").out, ask("list settings").out);
}

TEST(List, ParametersTellConditionsBaselineAndConstraints) {
  const Json document = Json::parse(ask("list parameters llama3-405b --json").out);
  const scenarios::Scenario scenario = datasets::read_scenario("llama3-405b");
  ASSERT_EQ(document["parameters"].size(), scenario.space.size());
  const Json& schedule = document["parameters"][4];
  EXPECT_EQ(schedule["name"], "schedule");
  EXPECT_EQ(schedule["type"], "categorical");
  EXPECT_EQ(schedule["values"], Json({"gpipe", "1f1b", "interleaved"}));
  EXPECT_EQ(schedule["when"],
            Json::parse(R"([{"parameter":"pipeline_parallel","values":[2,4,8,16]}])"));
  EXPECT_EQ(schedule["baseline"], "interleaved");
  EXPECT_EQ(document["constraints"][1]["name"], "batch divides");
  EXPECT_THAT(document["constraints"][1]["require"].get<std::string>(),
              HasSubstr("global_batch %"));
  EXPECT_THAT(ask("list parameters llama3-405b").out, HasSubstr("sharding is not"));
}

TEST(List, ParametersOfATableOfRunsHaveNoBaseline) {
  const Json document = Json::parse(ask("list parameters nanotron-1.34b-16gpu --json").out);
  ASSERT_FALSE(document["parameters"].empty());
  EXPECT_TRUE(document["parameters"][0]["baseline"].is_null());
  EXPECT_EQ(document["constraints"], Json::array());
}

}  // namespace
}  // namespace cubicbench::cli
