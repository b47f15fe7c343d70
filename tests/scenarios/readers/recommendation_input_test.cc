#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "support/json/strict_json.h"
#include "tests/scenarios/broken_file.h"

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;

struct Case {
  const char* pointer;
  const char* value;
  const char* message;
};

void expect_messages(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.pointer) + " = " + c.value);
    EXPECT_EQ(message_after("ads-tables", c.pointer, c.value), c.message);
  }
}

TEST(BadRecommendation, WorkloadSaysWhatItExpected) {
  expect_messages({
      {"/workload/tables", "null", "s.json#/workload/tables: expected an array, got nothing"},
      {"/workload/tables", "{}", "s.json#/workload/tables: expected an array, got {}"},
      {"/workload/tables", "[]",
       "s.json#/workload/tables: expected at least one group of tables, got []"},
      {"/workload/tables/1", "7", "s.json#/workload/tables/1: expected an object, got 7"},
      {"/workload/tables/0/tables", "0",
       "s.json#/workload/tables/0/tables: expected an integer in [1, 1000000], got 0"},
      {"/workload/tables/0/rows", "1.5",
       "s.json#/workload/tables/0/rows: expected an integer in [1, 1000000000000], got 1.5"},
      {"/workload/tables/2/rows", "\"20M\"",
       "s.json#/workload/tables/2/rows: expected an integer in [1, 1000000000000], got \"20M\"; "
       "did you mean 20971520, or 20000000?"},
      {"/workload/tables/3/dim", "65537",
       "s.json#/workload/tables/3/dim: expected an integer in [1, 65536], got 65537"},
      {"/workload/tables/3/pooling", "0",
       "s.json#/workload/tables/3/pooling: expected a number in (0, 10000], got 0"},
      {"/workload/tables/3/pooling", "true",
       "s.json#/workload/tables/3/pooling: expected a number in (0, 10000], got true"},
      {"/workload/tables/3/row", "5",
       "s.json#/workload/tables/3/row: unknown key; did you mean \"rows\"?"},
      {"/workload/dense", "null", "s.json#/workload/dense: expected an object, got nothing"},
      {"/workload/dense/inputs", "null",
       "s.json#/workload/dense/inputs: expected an integer in [1, 16777216], got nothing"},
      {"/workload/dense/layers", "10001",
       "s.json#/workload/dense/layers: expected an integer in [1, 10000], got 10001"},
      {"/workload/over/width", "-8192",
       "s.json#/workload/over/width: expected an integer in [1, 16777216], got -8192"},
      {"/workload/over/inputs", "105472",
       "s.json#/workload/over/inputs: expected no inputs: they follow from the tables, the other "
       "archs and the interaction"},
      {"/workload/over/ffn", "1",
       "s.json#/workload/over/ffn: unknown key; did you mean \"ffn_hidden\"?"},
      {"/workload/sequence", "2048", "s.json#/workload/sequence: expected an object, got 2048"},
      {"/workload/kind", "\"recomendation\"",
       "s.json#/workload/kind: expected one of transformer, mixture_of_experts, recommendation, "
       "got \"recomendation\"; did you mean \"recommendation\"?"},
      {"/workload/hugging_face", "\"dlrm.json\"",
       "s.json#/workload/kind: this version reads model files of transformers only, got "
       "\"recommendation\""},
  });
}

TEST(BadRecommendation, TablesComeInAFewShapes) {
  Json json = support::parse_json(scenario_text("ads-tables"), "x");
  const Json group = json["workload"]["tables"][0];
  while (json["workload"]["tables"].size() < 1025) json["workload"]["tables"].push_back(group);
  write("s.json", json.dump());
  EXPECT_EQ(message_of(in_test_folder("s.json")),
            "s.json#/workload/tables: expected at most 1024 groups of tables, got 1025");
}

TEST(BadRecommendation, SettingsOfTransformersAreNamed) {
  expect_messages({
      {"/settings/global_batch", "2048",
       "s.json#/settings/global_batch: setting of transformers; this scenario trains a "
       "recommendation model"},
      {"/baseline/tensor_parallel", "1",
       "s.json#/baseline/tensor_parallel: setting of transformers; this scenario trains a "
       "recommendation model"},
      {"/space/constraints/0/require", "\"gpus % data_parallel == 0\"",
       "s.json#/space/constraints/0/require: \"data_parallel\" is a setting of transformers; this "
       "scenario trains a recommendation model"},
      {"/space/constraints/0/require", "\"layers % wrap == 0\"",
       "s.json#/space/constraints/0/require: \"layers\" is a fact of transformers; this scenario "
       "trains a recommendation model"},
      {"/settings/over_shard", "\"no_shard\"",
       "s.json#/settings/over_shard: unknown setting; did you mean \"over_sharding\"?"},
      {"/space/parameters/4/name", "\"micro_batch\"",
       "s.json#/space/parameters/4/name: \"micro_batch\" is a setting of transformers; this "
       "scenario trains a recommendation model"},
  });
}

TEST(BadRecommendation, ValuesOfSettingsAreStrict) {
  expect_messages({
      {"/baseline/batch_per_gpu", "0",
       "s.json#/baseline/batch_per_gpu: expected an integer in [1, 16777216], got 0"},
      {"/baseline/batch_per_gpu", "3000",
       "s.json#/baseline/batch_per_gpu: expected one of 256, 512, 1024, 2048, got 3000"},
      {"/baseline/embedding_replicate_below_gib", "0.0085",
       "s.json#/baseline/embedding_replicate_below_gib: expected a number in [0, 1024] with at "
       "most three decimals, got 0.0085"},
      {"/baseline/embedding_replicate_below_gib", "0.016",
       "s.json#/baseline/embedding_replicate_below_gib: expected one of 0, 0.008, 0.064, got "
       "0.016"},
      {"/settings/embedding_cache_ratio", "1.5",
       "s.json#/settings/embedding_cache_ratio: expected a number in [0, 1] with at most three "
       "decimals, got 1.5"},
      {"/settings/embedding_cache_ratio", "\"0.2\"",
       "s.json#/settings/embedding_cache_ratio: expected a number in [0, 1] with at most three "
       "decimals, got \"0.2\""},
      {"/baseline/embedding_plan", "\"tablewise\"",
       "s.json#/baseline/embedding_plan: expected one of planner, table_wise, row_wise, "
       "column_wise, table_row_wise, grid, data_parallel, two_d, got \"tablewise\""},
      {"/baseline/input_pipeline", "true",
       "s.json#/baseline/input_pipeline: expected one of none, prefetch, pipelined, got true"},
      {"/space/parameters/14/type", "\"integer\"",
       "s.json#/space/parameters/14/type: expected an integer setting, but "
       "\"embedding_replicate_below_gib\" is a number in [0, 1024] with at most three "
       "decimals\ns.json#/space/parameters/14/min: expected an integer in [0, 1024000], got "
       "nothing\ns.json#/space/parameters/14/max: expected an integer in [0, 1024000], got "
       "nothing\ns.json#/space/parameters/14/values: unknown key"},
  });
}

TEST(BadRecommendation, HasNoTokens) {
  const char* const tail =
      "s.json#/objective/metric: expected one of step_time_s, samples_per_s, mfu, "
      "samples_per_joule, samples_per_usd, as a recommendation model has no tokens, got ";
  for (const std::string metric : {"\"tokens_per_s\"", "\"tokens_per_s_per_gpu\""}) {
    EXPECT_EQ(message_after("ads-tables", "/objective/metric", metric.c_str()), tail + metric);
  }
}

TEST(BadRecommendation, TransformersHaveNoEmbeddingPlan) {
  EXPECT_EQ(message_after("tiny-gpt", "/settings/embedding_plan", "\"table_wise\""),
            "s.json#/settings/embedding_plan: setting of recommendation models; this scenario "
            "trains a transformer");
}

TEST(RecommendationOverride, NamesTheOption) {
  struct Set {
    std::string scenario;
    const char* option;
    const char* message;
  };
  for (const Set& c : {
           Set{test_scenario("ads-tables"), "tensor_parallel=8",
               "--set tensor_parallel=8: setting of transformers; this scenario trains a "
               "recommendation model"},
           Set{"tiny-gpt", "batch_per_gpu=8",
               "--set batch_per_gpu=8: setting of recommendation models; this scenario trains a "
               "transformer; did you mean \"global_batch\"?"},
           Set{test_scenario("ads-tables"), "embedding_cache_ratio=.2",
               "--set embedding_cache_ratio=.2: expected a number in [0, 1] with at most three "
               "decimals, got \".2\""},
           Set{test_scenario("ads-tables"), "workload.over.layers=0",
               "--set workload.over.layers=0: expected an integer in [1, 10000], got 0"},
           Set{test_scenario("ads-tables"), "workload.over.layer=5",
               "--set workload.over.layer=5: unknown key; did you mean \"layers\"?"},
           Set{test_scenario("ads-tables"), "workload.top.layers=5",
               "--set workload.top.layers=5: unknown key"},
           Set{test_scenario("ads-tables"), "workload.tables.0.rows=5",
               "--set workload.tables.0.rows=5: \"workload.tables\" is no object whose fields can "
               "be set"},
           Set{test_scenario("ads-tables"), "workload.over.=5",
               "--set workload.over.=5: expected one field of \"workload\""},
           Set{test_scenario("ads-tables"), "workload..layers=5",
               "--set workload..layers=5: expected one field of \"workload\""},
           Set{test_scenario("ads-tables"), "stack=torchtitan-2025",
               "--set stack=torchtitan-2025: expected a setting or one field, as in cluster.gpus; "
               "\"stack\" is given by the scenario's file"},
       }) {
    SCOPED_TRACE(c.option);
    EXPECT_EQ(message_of(c.scenario, {c.option}), c.message);
  }
}

TEST(RecommendationOverride, ReachesNestedFields) {
  const Scenario scenario = read_scenario(
      test_scenario("ads-tables"),
      std::vector<std::string>{"workload.over.layers=2", "embedding_replicate_below_gib=0.064"});
  const auto& model = std::get<sim::Recommendation>(scenario.workload);
  const auto& over = std::get<sim::ResidualArch>(model.over);
  EXPECT_EQ(over.layers, 2);
  EXPECT_EQ(over.width, 8192);
  EXPECT_EQ(scenario.baseline.embedding_replicate_below_gib_thousandths, 64);
}

TEST(Recommendation, InputsOfTheOverArchAreDerived) {
  const Scenario scenario = read_scenario(test_scenario("ads-tables"));
  const auto& model = std::get<sim::Recommendation>(scenario.workload);
  // 64 + 128 + 2 256 + 4 128 + 2 256 + 20 192 + 98 192 + 260 160 + 200 128 + 200 64 elements, and
  // the dense width
  EXPECT_EQ(sim::over_inputs(model), 104'384 + 1'024);
}

TEST(Recommendation, SamplesAreCountedOnAllGpus) {
  const Scenario scenario = read_scenario(test_scenario("ads-tables"));
  sim::Plan plan = scenario.baseline;
  plan.batch_per_gpu = 1000;
  EXPECT_EQ(samples_per_step(scenario, plan), 128'000.0);
  EXPECT_EQ(samples_per_s(scenario, plan, sim::Seconds{0.5}), 256'000.0);
  EXPECT_EQ(tokens_per_s(scenario, plan, sim::Seconds{0.5}), std::nullopt);
  const auto& model = std::get<sim::Recommendation>(scenario.workload);
  const double peak = 128.0 * 989e12;
  EXPECT_NEAR(mfu(scenario, plan, sim::Seconds{0.5}),
              sim::mfu_flops_per_sample(model) * 256'000.0 / peak, 1e-12);
  EXPECT_EQ(mfu_6n(scenario, plan, sim::Seconds{0.5}), mfu(scenario, plan, sim::Seconds{0.5}));
}

TEST(Recommendation, ObjectiveIsSamplesUnlessSaid) {
  Json json = support::parse_json(scenario_text("ads-tables"), "x");
  json.erase("objective");
  write("s.json", json.dump());
  const Scenario scenario = read_scenario(in_test_folder("s.json"));
  EXPECT_EQ(scenario.objective.metric, Metric::samples_per_s);
  EXPECT_EQ(scenario.objective.direction, Direction::maximize);
}

TEST(Recommendation, HashFollowsTablesAndOwnSettingsOnly) {
  const auto hash_after = [](const char* pointer, const char* value) {
    EXPECT_EQ(message_after("ads-tables", pointer, value), "");
    return read_scenario(in_test_folder("s.json")).sha256;
  };
  const std::string plain = read_scenario(test_scenario("ads-tables")).sha256;
  EXPECT_EQ(hash_after("/summary", "\"other words\""), plain);
  EXPECT_EQ(hash_after("/workload/tables/0/pooling", "1.0"), plain);
  EXPECT_EQ(hash_after("/settings/embedding_cache_ratio", "0.2"), plain);  // the default
  EXPECT_EQ(hash_after("/settings/embedding_cache_ratio", "0.20"), plain);
  EXPECT_NE(hash_after("/settings/embedding_cache_ratio", "0.3"), plain);
  EXPECT_NE(hash_after("/workload/tables/0/pooling", "1.5"), plain);
  EXPECT_NE(hash_after("/workload/over/layers", "31"), plain);
}

TEST(Recommendation, HashFollowsTheSetThatIsDrawnNotItsStatistics) {
  const auto hash_after = [](const char* pointer, const char* value) {
    Json json = support::parse_json(scenario_text("ads-tables"), "x");
    json["workload"].erase("tables");
    json["workload"]["table_set"] = Json::parse(R"({"seed": 1, "tables": 788, "parameters": 56e9,
      "ids_per_sample": 10720.5, "dims": [64], "skew": 1})");
    json[Json::json_pointer(pointer)] = Json::parse(value);
    write("s.json", json.dump());
    EXPECT_EQ(message_of(in_test_folder("s.json")), "");
    return read_scenario(in_test_folder("s.json")).sha256;
  };
  const std::string plain = hash_after("/summary", "\"same\"");
  EXPECT_EQ(hash_after("/workload/table_set/groups", "24"), plain);             // the default
  EXPECT_EQ(hash_after("/workload/table_set/rows", R"({"max": 3e8})"), plain);  // none so large
  EXPECT_NE(hash_after("/workload/table_set/seed", "2"), plain);
  EXPECT_NE(hash_after("/workload/table_set/skew", "1.1"), plain);
}

TEST(Recommendation, ItsStackConstantsAreNoneOfTransformers) {
  const auto hash_with = [](const char* scenario, double lookup_factor) {
    Json stack = support::parse_json(*text(Kind::stack, "ads-fsdp-2024"), "x");
    stack["lookup_factor"] = lookup_factor;
    write("stack.json", stack.dump());
    EXPECT_EQ(message_after(scenario, "/stack", "\"./stack.json\""), "");
    return read_scenario(in_test_folder("s.json")).sha256;
  };
  EXPECT_EQ(hash_with("tiny-gpt", 1.0), hash_with("tiny-gpt", 2.0));
  EXPECT_NE(hash_with("ads-tables", 1.0), hash_with("ads-tables", 2.0));
}

}  // namespace
}  // namespace cubicbench::scenarios
