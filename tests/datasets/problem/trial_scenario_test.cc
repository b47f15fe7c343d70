#include "datasets/problem/trial_scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "datasets/exhaustive/enumerate.h"
#include "datasets/problem/table_scenario.h"
#include "scenarios/problem/granted_baseline.h"
#include "scenarios/truth/true_values.h"
#include "support/input_error.h"
#include "tests/datasets/problem/refusal_text.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Configuration;
using scenarios::Reason;
using scenarios::Scenario;
using testing::HasSubstr;

/// Somebody's trials of a kitchen: repeats, failures, a missing value and one that is no number.
constexpr const char* kitchen =
    "cook,flour,oven,heat,taste,minutes,note\n"
    "ann,0.5,gas,180,7.5,60,\n"    // line 2
    "ann,0.5,gas,220,,12,burnt\n"  // 3
    "bob,1e3,coal,180,3,90,\n"     // 4
    "ann,0.5,gas,180,8.5,66,\n"    // 5: again
    "ann,2,wood,180,nan,30,\n"     // 6
    "ann,0.25,wood,200,6,,\n";     // 7

constexpr const char* by_ann =
    R"({"path": "k.csv", "where": {"cook": "ann"}, "knobs": ["flour", "oven", "heat"],
        "failures": {"column": "note", "reasons": {"burnt": "oom_late"}}, "seconds": "minutes", "gpus": 4})";
constexpr const char* taste = R"({"column": "taste", "direction": "maximize"})";

class Folder {
 public:
  Folder() { write_text(folder_ / "k.csv", kitchen); }

  std::string write(const std::string& table, const std::string& objective,
                    const std::string& more = "") const {
    const std::string file = folder_ / "s.json";
    write_text(file, R"({"schema": "cubicbench.scenario/1", "name": "kitchen", "table": )" + table +
                         R"(, "objective": )" + objective + more + "}");
    return file;
  }
  void write_table(const std::string& text) const { write_text(folder_ / "k.csv", text); }

  std::string message_of(const std::string& table, const std::string& objective = taste,
                         const std::string& more = "") const {
    return refusal_text(write(table, objective, more), folder_);
  }

 private:
  TemporaryFolder folder_;
};

TEST(TrialScenario, KnobsAreColumnsAndTheSpaceIsTheRows) {
  const Folder folder;
  const Scenario scenario = read_scenario(folder.write(by_ann, taste));
  const auto& parameters = scenario.space.parameters();
  ASSERT_EQ(parameters.size(), 3U);
  EXPECT_EQ(parameters[0].setting->name, "flour");
  EXPECT_EQ(parameters[0].type, scenarios::ParameterType::ordinal);
  EXPECT_EQ(parameters[1].type, scenarios::ParameterType::categorical);
  EXPECT_EQ(scenario.space.count(), 4U);
  const scenarios::ConfigText expected{{"flour", "0.25"}, {"oven", "\"wood\""}, {"heat", "200"}};
  EXPECT_EQ(config_text(scenario.space, {0, 1, 1}), expected);
  EXPECT_TRUE(scenario.space.satisfies(Configuration{1, 0, 0}));
  EXPECT_FALSE(scenario.space.satisfies(Configuration{0, 0, 0}));
  EXPECT_EQ(name_of(scenario.objective), "taste");
  EXPECT_EQ(scenario.cluster.gpus, 4);
}

TEST(TrialScenario, RowsOfOneConfigurationAreItsAttempts) {
  const Folder folder;
  const Scenario scenario = read_scenario(folder.write(by_ann, taste));
  const std::uint64_t gas = scenario.space.number_of(Configuration{1, 0, 0});
  EXPECT_EQ(scenario.measured->run(gas, 0).value, 7.5);
  EXPECT_EQ(scenario.measured->run(gas, 1).value, 8.5);
  EXPECT_EQ(scenario.measured->run(gas, 2).value, 7.5);
  EXPECT_DOUBLE_EQ(scenario.measured->run(gas, 1).duration_h, 66.0 / 3600.0);
  EXPECT_DOUBLE_EQ(scenario.measured->run(gas, 1).cost_gpu_hours, 4.0 * 66.0 / 3600.0);
}

TEST(TrialScenario, FailuresAndWhatIsNoNumberAreOutcomes) {
  const Folder folder;
  const Scenario scenario = read_scenario(folder.write(by_ann, taste));
  const auto outcome = [&](const Configuration& config) {
    return scenario.measured->run(scenario.space.number_of(config), 0);
  };
  EXPECT_EQ(outcome({1, 0, 2}).reason, Reason::oom_late);
  EXPECT_DOUBLE_EQ(outcome({1, 0, 2}).duration_h, 12.0 / 3600.0);
  EXPECT_EQ(outcome({2, 1, 0}).reason, Reason::numeric);
  EXPECT_EQ(outcome({0, 1, 1}).value, 6.0);
  EXPECT_EQ(outcome({0, 1, 1}).cost_gpu_hours, 0.0);
}

TEST(TrialScenario, MissingValuesFailAsTheScenarioSays) {
  const Folder folder;
  const Scenario scenario = read_scenario(folder.write(
      R"({"path": "k.csv", "knobs": ["flour", "oven", "heat"], "missing": "timeout"})", taste));
  const auto& run = scenario.measured->run(scenario.space.number_of(Configuration{1, 1, 2}), 0);
  EXPECT_EQ(run.reason, Reason::timeout);
  EXPECT_EQ(run.duration_h, 0.0);
}

TEST(TrialScenario, AKnobIsWhatItsTypeSays) {
  const Folder folder;
  const Scenario scenario = read_scenario(folder.write(
      R"({"path": "k.csv", "knobs": [{"column": "heat", "type": "categorical"}, "flour"], "missing": "invalid"})",
      R"({"column": "minutes", "direction": "minimize"})"
      // The last row has no minutes.
      ));
  EXPECT_EQ(scenario.space.parameters()[0].type, scenarios::ParameterType::categorical);
  const scenarios::ConfigText expected{{"heat", "\"180\""}, {"flour", "1000"}};
  EXPECT_EQ(config_text(scenario.space, {0, 3}), expected);
}

TEST(TrialScenario, TheBestRowIsTheOptimumAndTheBaselineIsGranted) {
  const Folder folder;
  const Scenario scenario = read_scenario(
      folder.write(by_ann, taste, R"(, "baseline": {"flour": 0.25, "oven": "wood", "heat": 200})"));
  ASSERT_EQ(scenarios::granted_baseline(scenario), (Configuration{0, 1, 1}));
  const scenarios::Instance instance(scenario, 0);
  const Enumeration head = enumeration_head(instance, "", "kitchen");
  EXPECT_EQ(head.baseline.value, 6.0);
  EXPECT_EQ(head.configurations, 4U);
  scenarios::TrueValues truth(instance);
  EXPECT_EQ(truth.at(Configuration{1, 0, 0}).value, 8.0);
}

TEST(TrialScenario, WhatCountsOfTheTableIsItsHash) {
  const Folder folder;
  const std::string sha256 = read_scenario(folder.write(by_ann, taste)).sha256;
  EXPECT_EQ(read_scenario(folder.write(by_ann, taste, R"(, "summary": "Bread")")).sha256, sha256);
  std::string other = kitchen;
  other.replace(other.find("bob,1e3"), 7, "bob,1e4");
  folder.write_table(other);
  EXPECT_EQ(read_scenario(folder.write(by_ann, taste)).sha256, sha256);
  other.replace(other.find("8.5"), 3, "8.6");
  folder.write_table(other);
  EXPECT_NE(read_scenario(folder.write(by_ann, taste)).sha256, sha256);
  EXPECT_NE(
      read_scenario(folder.write(by_ann, R"({"column": "taste", "direction": "minimize"})")).sha256,
      sha256);
}

TEST(TrialScenario, SaysWhatIsWrong) {
  const Folder folder;
  const std::string knobs = R"({"path": "k.csv", "missing": "infra", "knobs": )";
  struct Case {
    std::string table;
    std::string objective;
    std::string more;
    const char* message;
  };
  for (const Case& c : {
           Case{knobs + "[]}", taste, "", "#/table/knobs: expected at least one, got none"},
           Case{knobs + R"(["flour", "flour"]})", taste, "",
                "#/table/knobs/1: expected each column once, got \"flour\" twice"},
           Case{knobs + R"(["flower"]})", taste, "",
                "#/table/knobs/0: expected a column of the table, got \"flower\"; did you mean"},
           Case{knobs + R"([{"column": "oven", "type": "ordinal"}]})", taste, "",
                "k.csv:2:9: expected a number that is 0 or of a magnitude from 1e-100 to 1e+100, "
                "got \"gas\""},
           Case{
               knobs + R"(["note"]})", taste, "",
               "k.csv:2:24: expected a value of the knob \"note\", got nothing (see /table/where)"},
           Case{knobs + R"(["heat"], "where": {"cook": "eve"}})", taste, "",
                "#/table/where: expected rows, got none"},
           Case{knobs + R"(["heat"], "failures": {"column": "not", "reasons": {}}})", taste, "",
                "#/table/failures/column: expected a column of the table, got \"not\""},
           Case{knobs + R"(["heat"], "failures": {"column": "note", "reasons": {"burnt": "oom"}}})",
                taste, "", "#/table/failures/reasons/burnt: expected one of invalid, oom_init"},
           Case{knobs + R"(["heat"], "seconds": "note"})", taste, "",
                "k.csv:3:21: expected note, a time in seconds, got \"burnt\""},
           Case{R"({"path": "k.csv", "knobs": ["heat"]})", taste, "",
                "k.csv:3:17: expected taste, a number above 0 of a magnitude from 1e-100 to "
                "1e+100, got nothing"},
           Case{knobs + R"(["heat"]})", R"({"column": "tast", "direction": "maximize"})", "",
                "#/objective/column: expected a column of the table, got \"tast\"; did you mean"},
           Case{knobs + R"(["heat"]})", R"({"column": "taste"})", "", "#/objective/direction"},
           Case{knobs + R"(["heat"]})", R"({"metric": "mfu"})", "",
                "#/objective/column: expected a column of the table"},
           Case{knobs + R"(["heat"]})", taste, R"(, "baseline": {"heat": 190})",
                "#/baseline/heat: expected one of 3 numbers in [180, 220], got 190"},
           Case{knobs + R"(["heat", "oven"]})", taste,
                R"(, "baseline": {"heat": 220, "oven": "coal"})",
                "#/baseline: expected one of the 5 configurations that are listed, got another"},
           Case{knobs + R"(["heat"]})", taste, R"(, "stack": "x")", "#/stack: unknown key"},
       }) {
    SCOPED_TRACE(c.message);
    EXPECT_THAT(folder.message_of(c.table, c.objective, c.more), HasSubstr(c.message));
  }
}

TEST(TrialScenario, NothingIsSet) {
  const Folder folder;
  const std::string file = folder.write(by_ann, taste);
  const std::vector<std::string> sets{"heat=200"};
  EXPECT_THROW(read_scenario(file, sets), support::InputError);
}

TEST(TrialScenario, AColumnIsNoObjectiveOfATableOfTrainingRuns) {
  const Folder folder;
  folder.write_table(
      "model,n_gpus,seq_len,tp,tokens_per_s_per_gpu,status,quality\nm,8,4096,1,1000,ok,ok\n");
  EXPECT_THAT(folder.message_of(R"({"path": "k.csv", "parameters": ["tp"]})", taste),
              HasSubstr("#/objective/column: expected a metric"));
}

TEST(TrialScenario, TheTableThatShipsIsARandomSearchWithItsFailures) {
  const Scenario scenario = read_scenario("autoresearch-random");
  EXPECT_EQ(scenario.space.count(), 1'163U);
  std::size_t runs = 0;
  std::size_t failures = 0;
  for (const auto& of_configuration : scenario.measured->of_configuration) {
    runs += of_configuration.size();
    for (const auto& run : of_configuration) failures += run.reason == Reason::oom_late ? 1 : 0;
  }
  EXPECT_EQ(runs, 1'704U);
  EXPECT_EQ(failures, 955U);
  EXPECT_TRUE(scenarios::granted_baseline(scenario));
}

}  // namespace
}  // namespace cubicbench::datasets
