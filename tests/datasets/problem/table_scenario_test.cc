#include "datasets/problem/table_scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/readers/scenario_reader.h"
#include "support/input_error.h"
#include "tests/datasets/problem/refusal_text.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Configuration;
using scenarios::Reason;
using scenarios::Scenario;
using scenarios::TrialOutcome;

/// A folder with a table and a scenario.
class Folder {
 public:
  std::string write(const std::string& name, const std::string& text) const {
    write_text(folder_ / name, text);
    return folder_ / name;
  }

  /// What read_scenario() says of the text, without the folder.
  std::string message_of(const std::string& text, const std::vector<std::string>& sets = {}) const {
    return refusal_text(write("s.json", text), folder_, sets);
  }

 private:
  TemporaryFolder folder_;
};

constexpr const char* header =
    "family,model,n_gpus,seq_len,tp,pp,micro_batch,grad_accum,dp,global_batch,sharding,"
    "tokens_per_s_per_gpu,peak_mem_gib,status,quality\n";

/// Two runs of one layout, one that ran out of memory, and rows that do not count.
std::string table_text() {
  return header + std::string(
                      "a,m,16,4096,1,1,2,8,16,256,zero1,1000,20,ok,ok\n"      // line 2
                      "a,m,16,4096,8,1,4,32,2,256,no_shard,,,oom,early_pp\n"  // 3
                      "b,m,16,4096,1,1,2,8,16,256,zero1,5,,ok,ok\n"           // 4: another family
                      "a,m,16,4096,2,1,2,16,8,256,zero1,700,,ok,early_pp\n"   // 5: timing unsound
                      "a,m,16,4096,4,1,2,32,4,256,zero1,,,other,ok\n"         // 6: says nothing
                      "a,m,16,4096,2,2,1,64,4,256,zero1,800,,ok,flag\n"       // 7: flagged
                      "a,m,16,4096,1,1,2,8,16,256,zero1,1100,21,ok,ok\n"      // 8
                      "a,m,16,4096,2,4,1,128,2,256,zero1,500,,ok,ok\n");      // 9
}

/// The scenario, with `more` before its end.
std::string scenario_text(const std::string& table, const std::string& more = "") {
  return R"({"schema": "cubicbench.scenario/1", "name": "t", "table": )" + table + more + "}";
}

constexpr const char* family_a =
    R"({"path": "t.csv", "where": {"family": "a"}, "parameters": ["tp", "pp", "micro_batch", "sharding"]})";

TEST(TableScenario, TheSpaceIsTheRowsThatCountAndOutcomesAreTheirRuns) {
  const Folder folder;
  folder.write("t.csv", table_text());
  const Scenario scenario = read_scenario(folder.write("s.json", scenario_text(family_a)));
  ASSERT_NE(scenario.measured, nullptr);
  EXPECT_EQ(scenario.name, "t");
  EXPECT_EQ(scenario.objective.metric, scenarios::Metric::tokens_per_s_per_gpu);
  EXPECT_EQ(scenario.space.facts().gpus, 16);
  ASSERT_EQ(scenario.space.count(), 3U);  // lines 2 and 8, 3, 9
  const auto& outcomes = scenario.measured->of_configuration;
  ASSERT_EQ(outcomes.size(), 3U);

  // Sorted by tp: 1, 2, 8.
  ASSERT_EQ(outcomes[0].size(), 2U);
  EXPECT_EQ(outcomes[0][0].value, 1000.0);
  EXPECT_EQ(outcomes[0][1].value, 1100.0);
  ASSERT_EQ(outcomes[1].size(), 1U);
  EXPECT_EQ(outcomes[1][0].value, 500.0);
  ASSERT_EQ(outcomes[2].size(), 1U);
  EXPECT_EQ(outcomes[2][0].reason, Reason::oom_late);
  EXPECT_FALSE(outcomes[2][0].value);

  // A step of 256 x 4096 tokens at 16 x 1000 tokens/s takes 65.536 s; a job starts in 300 s and
  // makes 200 steps. One that runs out of memory costs the start.
  EXPECT_DOUBLE_EQ(*metric_of(outcomes[0][0], "step_time_s"), 65.536);
  EXPECT_DOUBLE_EQ(*metric_of(outcomes[0][0], "peak_bytes"), 20.0 * 0x1p30);
  EXPECT_NEAR(outcomes[0][0].duration_h, (300.0 + 200.0 * 65.536) / 3600.0, 1e-12);
  EXPECT_NEAR(outcomes[0][0].cost_gpu_hours, 16.0 * (300.0 + 200.0 * 65.536) / 3600.0, 1e-9);
  EXPECT_NEAR(outcomes[2][0].cost_gpu_hours, 16.0 * 300.0 / 3600.0, 1e-12);

  // In journals the parameters have their settings' names.
  Configuration configuration(scenario.space.size());
  scenario.space.configuration_at(2, configuration);
  std::string text;
  for (const auto& [setting, code] : scenario.space.to_assignment(configuration)) {
    text += std::string(setting->name) + "=" + format_setting(*setting, code) + " ";
  }
  EXPECT_EQ(text, "tensor_parallel=8 pipeline_parallel=1 micro_batch=4 sharding=no_shard ");
}

TEST(TableScenario, ColumnsAndSettingsNameTheSameParameters) {
  const Folder folder;
  folder.write("t.csv", table_text());
  const auto sha256_of = [&](const std::string& table) {
    return read_scenario(folder.write("s.json", scenario_text(table))).sha256;
  };
  const std::string by_column = sha256_of(family_a);
  EXPECT_EQ(sha256_of(R"({"path": "t.csv", "where": {"family": ["a"], "n_gpus": 16},
      "parameters": ["tensor_parallel", "pipeline_parallel", "micro_batch", "sharding"]})"),
            by_column);
  EXPECT_NE(sha256_of(R"({"path": "t.csv", "where": {"family": "a"},
      "parameters": ["tp", "pp", "micro_batch", "sharding", "grad_accum"]})"),
            by_column);
  EXPECT_NE(sha256_of(R"({"path": "t.csv", "where": {"family": ["a", "b"]},
      "parameters": ["tp", "pp", "micro_batch", "sharding"]})"),
            by_column);
}

TEST(TableScenario, GradAccumStandsForTheGlobalBatch) {
  const Folder folder;
  folder.write("t.csv",
               "n_gpus,dp,micro_batch,grad_accum,tokens_per_s_per_gpu,status,quality\n"
               "8,8,2,4,10,ok,ok\n"
               "8,8,2,16,20,ok,ok\n");
  const Scenario scenario = read_scenario(folder.write(
      "s.json",
      scenario_text(R"({"path": "t.csv", "parameters": ["micro_batch", "grad_accum"]})")));
  ASSERT_EQ(scenario.space.count(), 2U);
  EXPECT_EQ(scenario.space.parameters()[1].setting->name, "global_batch");
  EXPECT_EQ(scenario.space.parameters()[1].values, (std::vector<std::int64_t>{64, 256}));
  // Without seq_len no step time is known, so a launch takes the start-up.
  EXPECT_NEAR(scenario.measured->of_configuration[0][0].duration_h, 300.0 / 3600.0, 1e-15);
}

TEST(TableScenario, HasParametersInColumnsOfItsOwn) {
  const Folder folder;
  folder.write("t.csv",
               "n_gpus,tp,bucket_mb,eager,tokens_per_s_per_gpu,status,over_bytes\n"
               "8,1,25,0,10,ok,\n"
               "8,1,100,1,20,ok,\n"
               "8,2,25,1,,oom,1.5e9\n"
               "8,2,100,1,,oom,\n");
  const Scenario scenario =
      read_scenario(folder.write("s.json", scenario_text(R"({"path": "t.csv", "parameters": ["tp",
                                {"column": "bucket_mb", "setting": "wrap"},
                                {"column": "eager", "setting": "forward_prefetch"}]})")));
  ASSERT_EQ(scenario.space.size(), 3U);
  EXPECT_EQ(scenario.space.parameters()[1].setting->name, "wrap");
  EXPECT_EQ(scenario.space.parameters()[1].values, (std::vector<std::int64_t>{25, 100}));
  EXPECT_EQ(scenario.space.parameters()[2].type, scenarios::ParameterType::boolean);
  const auto& outcomes = scenario.measured->of_configuration;
  ASSERT_EQ(outcomes.size(), 4U);
  EXPECT_EQ(outcomes[1][0].value, 20.0);
  EXPECT_EQ(metric_of(outcomes[2][0], "over_bytes"), 1.5e9);
  EXPECT_FALSE(metric_of(outcomes[3][0], "over_bytes").has_value());
}

TEST(TableScenario, OtherMetricsFollowFromTheMeasuredOne) {
  const Folder folder;
  folder.write("t.csv", table_text());
  struct Case {
    const char* metric;
    double expected;
  };
  for (const Case& c : {Case{"tokens_per_s_per_gpu", 1000.0}, Case{"tokens_per_s", 16'000.0},
                        Case{"samples_per_s", 16'000.0 / 4096.0}, Case{"step_time_s", 65.536}}) {
    SCOPED_TRACE(c.metric);
    const Scenario scenario = read_scenario(folder.write(
        "s.json",
        scenario_text(family_a, std::string(R"(, "objective": {"metric": ")") + c.metric + "\"}")));
    EXPECT_DOUBLE_EQ(*scenario.measured->of_configuration[0][0].value, c.expected);
    EXPECT_EQ(scenario.objective.direction == scenarios::Direction::minimize,
              std::string(c.metric) == "step_time_s");
  }
}

TEST(TableScenario, ABaselineIsAConfigurationOfTheTable) {
  const Folder folder;
  folder.write("t.csv", table_text());
  const std::string baseline =
      R"(, "baseline": {"tensor_parallel": 2, "pipeline_parallel": 4, "micro_batch": 1, "sharding": "zero1"})";
  const Scenario scenario =
      read_scenario(folder.write("s.json", scenario_text(family_a, baseline)));
  const scenarios::Placement placement = scenario.space.from_plan(scenario.baseline);
  ASSERT_TRUE(placement.in_space());
  EXPECT_EQ(scenario.space.number_of(placement.configuration), 1U);
  EXPECT_EQ(folder.message_of(scenario_text(
                family_a, R"(, "baseline": {"tensor_parallel": 2, "pipeline_parallel": 1,
                               "micro_batch": 1, "sharding": "zero1"})")),
            "s.json#/baseline: expected one of the 3 configurations that are listed, got another");
}

TEST(TableScenario, SaysEverythingThatIsWrongAtOnce) {
  const Folder folder;
  folder.write("t.csv", table_text());
  folder.write("bad.csv", std::string(header) +
                              "a,m,16,4096,1,1,2,8,16,256,zero1,1000,20,ok,ok\n"
                              "a,m,32,4096,1,,2,8,16,256,zero9,1000,20,ok,ok\n");
  struct Case {
    const char* name;
    std::string text;
    const char* expected;
  };
  for (const Case& c :
       {Case{"unknown names",
             scenario_text(R"({"path": "t.csv", "where": {"famly": "a", "tp": [null]},
                               "parameters": ["tensor", "tp", "tensor_parallel"]})",
                           R"(, "budget": {"trials": 0}, "workload": {})"),
             "s.json#/budget/trials: expected an integer in [1, 1000000000], got 0\n"
             "s.json#/table/parameters/0: expected a column that is a setting, or a setting that "
             "is a column, got \"tensor\"; did you mean \"tensor_parallel\"?\n"
             "s.json#/table/parameters/2: expected each setting once, got tensor_parallel twice\n"
             "s.json#/table/where/famly: expected a column of the table, got another name; did you "
             "mean \"family\"?\n"
             "s.json#/table/where/tp/0: expected a text, a number, true or false, got null\n"
             "s.json#/workload: unknown key"},
        Case{
            "columns of its own", scenario_text(R"({"path": "t.csv", "parameters": ["tp",
                               {"column": "buckets", "setting": "warp"},
                               {"column": "pp", "setting": "tensor_parallel"}, {"name": "pp"}]})"),
            "s.json#/table/parameters/1/setting: unknown setting \"warp\"; did you mean \"wrap\"?\n"
            "s.json#/table/parameters/2/setting: expected each setting once, got tensor_parallel "
            "twice\n"
            "s.json#/table/parameters/3/column: expected a string, got nothing\n"
            "s.json#/table/parameters/3/setting: expected a string, got nothing\n"
            "s.json#/table/parameters/3/name: unknown key"},
        Case{
            "a column of its own that is not there",
            scenario_text(R"({"path": "t.csv", "parameters": ["tp",
                               {"column": "famly", "setting": "wrap"}]})"),
            "s.json#/table/parameters/1/column: expected a column of the table, got \"famly\"; did "
            "you mean \"family\"?"},
        Case{"an unknown table", scenario_text(R"({"path": "nanotron", "parameters": ["tp"]})"),
             "s.json#/table/path: expected a dataset (see cubicbench list datasets) or the path of "
             "a CSV file, got \"nanotron\""},
        Case{"no row", scenario_text(R"({"path": "t.csv", "where": {"family": "z"},
                                         "parameters": ["tp"]})"),
             "s.json#/table/where: expected rows with a time, or out of memory, got none"},
        Case{"no parameter", scenario_text(R"({"path": "t.csv", "parameters": []})"),
             "s.json#/table/parameters: expected at least one, got none"},
        Case{"cells",
             scenario_text(R"({"path": "bad.csv", "parameters": ["tp", "pp", "sharding"]})"),
             "bad.csv:3:5: expected n_gpus \"16\" as in line 2, since a space is of one problem "
             "(see /table/where), got \"32\"\n"
             "bad.csv:3:15: expected an integer in [1, 1024], got nothing in column pp\n"
             "bad.csv:3:27: expected one of no_shard, zero1, zero1_hybrid, shard_grad_op, "
             "full_shard, hybrid_shard, hybrid_shard_zero2, got \"zero9\" in column sharding"},
        Case{"an objective that a table has not",
             scenario_text(family_a, R"(, "objective": {"metric": "mfu", "percentile": 90})"),
             "s.json#/objective/metric: expected another metric than mfu, which sources count "
             "differently\n"
             "s.json#/objective/percentile: expected 50, as a row has one value, got 90"},
        Case{"an objective of energy",
             scenario_text(family_a, R"(, "objective": {"metric": "tokens_per_joule"})"),
             "s.json#/objective/metric: expected a rate or a time, as a table of runs has no power "
             "and no price, got \"tokens_per_joule\""},
        Case{"an objective of cost",
             scenario_text(family_a, R"(, "objective": {"metric": "samples_per_usd"})"),
             "s.json#/objective/metric: expected a rate or a time, as a table of runs has no power "
             "and no price, got \"samples_per_usd\""}}) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(folder.message_of(c.text), c.expected);
  }
}

TEST(TableScenario, OverridesAreSettingsOfTheTable) {
  const Folder folder;
  folder.write("t.csv", table_text());
  EXPECT_EQ(folder.message_of(scenario_text(family_a), {"micro_batch=4"}), "");
  EXPECT_EQ(folder.message_of(scenario_text(family_a), {"compile=true"}),
            "--set compile=true: expected a parameter of the table, got another setting");
  EXPECT_THAT(folder.message_of(scenario_text(family_a), {"cluster.gpus=8"}),
              testing::StartsWith("--set cluster.gpus=8: "));
}

TEST(TableScenario, AModelIsReadAsBefore) {
  EXPECT_EQ(read_scenario("tiny-gpt").sha256, scenarios::read_scenario("tiny-gpt").sha256);
  EXPECT_EQ(read_scenario("tiny-gpt").measured, nullptr);
  EXPECT_THROW(read_scenario("nanotron-3b"), support::InputError);
}

// Counted in the table by a program of its own, which read nothing but the CSV file.
TEST(TableScenario, EveryNanotronScenarioHasTheRowsOfTheSweep) {
  struct Case {
    const char* name;
    std::int64_t gpus;
    std::uint64_t configurations;
    std::size_t timed;  ///< configurations with a time
    std::size_t runs;
  };
  const std::vector<Case> cases{
      {"nanotron-1.34b-8gpu", 8, 56, 31, 56},        {"nanotron-1.34b-16gpu", 16, 100, 59, 100},
      {"nanotron-1.34b-64gpu", 64, 92, 86, 92},      {"nanotron-1.34b-128gpu", 128, 103, 102, 103},
      {"nanotron-1.34b-512gpu", 512, 16, 16, 16},    {"nanotron-3.57b-8gpu", 8, 54, 23, 54},
      {"nanotron-3.57b-16gpu", 16, 103, 52, 103},    {"nanotron-3.57b-64gpu", 64, 107, 76, 107},
      {"nanotron-3.57b-128gpu", 128, 119, 113, 119}, {"nanotron-3.57b-512gpu", 512, 27, 27, 27},
      {"nanotron-8.86b-8gpu", 8, 53, 11, 53},        {"nanotron-8.86b-16gpu", 16, 104, 32, 105},
      {"nanotron-8.86b-64gpu", 64, 113, 55, 113},    {"nanotron-8.86b-128gpu", 128, 131, 93, 131},
      {"nanotron-8.86b-512gpu", 512, 25, 25, 25},    {"nanotron-80b-64gpu", 64, 120, 11, 121},
      {"nanotron-80b-128gpu", 128, 146, 19, 146},    {"nanotron-80b-512gpu", 512, 57, 10, 57}};
  std::size_t tables = 0;
  for (const scenarios::Entry& entry : scenarios::names(scenarios::Kind::scenario)) {
    if (entry.name.starts_with("nanotron-")) ++tables;
  }
  EXPECT_EQ(tables, cases.size());
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const Scenario scenario = read_scenario(c.name);
    EXPECT_EQ(scenario.name, c.name);
    EXPECT_EQ(scenario.space.facts().gpus, c.gpus);
    EXPECT_EQ(scenario.space.count(), c.configurations);
    std::size_t timed = 0;
    std::size_t runs = 0;
    for (const std::vector<TrialOutcome>& outcomes : scenario.measured->of_configuration) {
      ASSERT_FALSE(outcomes.empty());
      runs += outcomes.size();
      timed += outcomes.front().value ? 1 : 0;
    }
    EXPECT_EQ(timed, c.timed);
    EXPECT_EQ(runs, c.runs);
    const std::size_t oom = c.configurations - c.timed;
    EXPECT_THAT(scenario.summary,
                testing::AllOf(testing::HasSubstr(std::to_string(c.configurations) + " layouts"),
                               testing::HasSubstr(" on " + std::to_string(c.gpus) + " H100"),
                               testing::HasSubstr((oom == 0 ? "none" : std::to_string(oom)) +
                                                  " out of memory")));
  }
}

}  // namespace
}  // namespace cubicbench::datasets
