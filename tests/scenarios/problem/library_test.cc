#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "scenarios/catalog.h"
#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "support/files.h"
#include "support/json/strict_json.h"
#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;

/// The same document with the keys of every object in reverse order.
Json reversed(const Json& value) {
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& element : value) {
      out.push_back(reversed(element));
    }
    return out;
  }
  if (!value.is_object()) {
    return value;
  }
  Json out = Json::object();
  for (auto member = value.rbegin(); member != value.rend(); ++member) {
    out[member.key()] = reversed(member.value());
  }
  return out;
}

/// The entry that a source says a number was taken from as it is, "as NAME" at its beginning or
/// after the interval of a fit; "" when it says none.
std::string taken_from(const std::string& source) {
  static const std::regex as("(^|; |^assumed )as ([a-z0-9.-]*[a-z0-9])(?!, (less|more))");
  std::smatch match;
  return std::regex_search(source, match, as) ? match[2].str() : std::string();
}

std::string hash_of(const std::string& text) {
  const TemporaryFolder folder;
  write_text(folder / "scenario.json", text);
  return read_scenario(folder / "scenario.json").sha256;
}

TEST(Library, WhatIsAsAnotherEntryHasItsValue) {
  for (const Kind kind : {Kind::device, Kind::network, Kind::stack}) {
    for (const Entry& entry : names(kind)) {
      const Json own = Json::parse(*text(kind, entry.name));
      for (const auto& [key, source] : own["sources"].items()) {
        if (!source.is_string() || !own.contains(key)) continue;
        const auto of = text(kind, taken_from(source.get<std::string>()));
        if (!of) continue;
        const Json other = Json::parse(*of);
        if (!other.contains(key)) continue;
        EXPECT_EQ(own[key], other[key]) << entry.name << ": " << key;
      }
    }
  }
}

TEST(Library, EveryShelfHasEntriesWithSummaries) {
  for (const Kind kind : {Kind::scenario, Kind::device, Kind::network, Kind::stack}) {
    const auto entries = names(kind);
    EXPECT_GE(entries.size(), 4u) << name_of(kind);
    EXPECT_TRUE(std::is_sorted(entries.begin(), entries.end(),
                               [](const Entry& a, const Entry& b) { return a.name < b.name; }));
    for (const Entry& entry : entries) {
      EXPECT_FALSE(entry.summary.empty()) << entry.name;
      EXPECT_TRUE(text(kind, entry.name).has_value());
    }
  }
  EXPECT_FALSE(text(Kind::device, "h100").has_value());
}

TEST(Library, TheDocumentationHasARowOfEachDescription) {
  const std::string documentation = support::read_file(CUBICBENCH_SOURCE_DIR "/docs/library.md");
  for (const Kind kind : {Kind::device, Kind::network, Kind::stack}) {
    for (const Entry& entry : names(kind)) {
      EXPECT_NE(documentation.find("\n| " + entry.name + " |"), std::string::npos) << entry.name;
    }
  }
}

TEST(Library, EachScenarioReadsWithItsBaselineInItsSpace) {
  for (const std::string& name : model_scenarios()) {
    SCOPED_TRACE(name);
    const Scenario scenario = read_scenario(name);
    EXPECT_EQ(scenario.name, name);
    EXPECT_EQ(scenario.sha256.size(), 64u);
    EXPECT_TRUE(scenario.space.from_plan(scenario.baseline).in_space());
  }
}

TEST(Library, SpacesAreAsLargeAsTheirScenariosAreMeantToBe) {
  EXPECT_GE(read_scenario("llama3-405b").space.count(), 10'000'000u);
  for (const char* tiny : {"tiny-gpt", "tiny-llama"}) {
    const std::uint64_t count = read_scenario(tiny).space.count();
    EXPECT_GE(count, 500u) << tiny;
    EXPECT_LE(count, 2'000u) << tiny;
  }
}

TEST(Library, EveryConfigurationDrawnCanBeLaidOut) {
  for (const std::string& name : model_scenarios()) {
    SCOPED_TRACE(name);
    const Scenario scenario = read_scenario(name);
    Configuration configuration(scenario.space.size());
    sim::Plan plan;
    for (std::uint64_t draw = 0; draw < 500; ++draw) {
      scenario.space.sample(1, draw, configuration);
      scenario.space.apply(configuration, plan);
      const sim::Violation violation = check(plan, scenario.workload, scenario.cluster);
      ASSERT_FALSE(violation) << violation.setting << " in draw " << draw;
    }
  }
}

TEST(ScenarioHash, IgnoresOrderOfKeysAndWhiteSpace) {
  for (const std::string& name : model_scenarios()) {
    SCOPED_TRACE(name);
    const std::string original(*text(Kind::scenario, name));
    Json json = support::parse_json(original, "x");
    const std::string expected = read_scenario(name).sha256;
    EXPECT_EQ(hash_of(original), expected);
    EXPECT_EQ(hash_of(json.dump()), expected);
    EXPECT_EQ(hash_of(json.dump(7)), expected);
    // Parameters stay in order, because conditions refer to earlier ones; their keys do not.
    EXPECT_EQ(hash_of(reversed(json).dump()), expected);
  }
}

TEST(ScenarioHash, FollowsTheProblemAndNotTheConfiguration) {
  const std::string plain = read_scenario("tiny-gpt").sha256;
  const std::vector<std::string> configuration{"micro_batch=2"};
  const std::vector<std::string> problem{"workload.sequence=2048"};
  EXPECT_EQ(read_scenario("tiny-gpt", configuration).sha256, plain);
  EXPECT_NE(read_scenario("tiny-gpt", problem).sha256, plain);
}

TEST(ScenarioHash, FillsInDefaultsAndLeavesOutProse) {
  Json json = support::parse_json(*text(Kind::scenario, "tiny-gpt"), "x");
  const std::string expected = read_scenario("tiny-gpt").sha256;
  json["summary"] = "other words";
  json["workload"].erase("kv_heads");
  json["workload"]["head_size"] = 64;  // 768 / 12
  json["settings"]["expert_parallel"] = 1;
  EXPECT_EQ(hash_of(json.dump()), expected);
}

TEST(Override, ChangesTheBaselineOrOneField) {
  const std::vector<std::string> sets{"tensor_parallel=4", "recompute=every_2",
                                      "cluster.device=b200-sxm", "cluster.gpus=16"};
  const Scenario scenario = read_scenario("tiny-llama", sets);
  EXPECT_EQ(scenario.baseline.tensor_parallel, 4);
  EXPECT_EQ(scenario.baseline.recompute, sim::Recompute::every_k);
  EXPECT_EQ(scenario.cluster.gpus, 16);
  EXPECT_EQ(scenario.cluster.device.sm_count, 148);
  EXPECT_EQ(scenario.device, "b200-sxm");
}

TEST(Override, ResetsWhatItMakesInactive) {
  const std::vector<std::string> sets{"pipeline_parallel=1"};
  const sim::Plan plan = read_scenario("llama3-405b", sets).baseline;
  EXPECT_EQ(plan.schedule, sim::Schedule::one_f_one_b);
  EXPECT_EQ(plan.virtual_stages, 1);
}

TEST(Override, LeavesAnImpossibleBaselineToTheSimulator) {
  const Scenario scenario =
      read_scenario("tiny-gpt", std::vector<std::string>{"tensor_parallel=8", "workload.layers=7"});
  EXPECT_EQ(std::get<sim::Transformer>(scenario.workload).layers, 7);
  EXPECT_TRUE(check(scenario.baseline, scenario.workload, scenario.cluster));
}

}  // namespace
}  // namespace cubicbench::scenarios
