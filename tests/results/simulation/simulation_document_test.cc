#include "results/simulation/simulation_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/document/number_text.h"
#include "results/simulation/part_names.h"
#include "scenarios/readers/scenario_reader.h"

namespace cubicbench::results {
namespace {

using namespace sim::literals;
using testing::HasSubstr;
using testing::StartsWith;

/// A step of a second and memory of round numbers on tiny-gpt.
Simulation example() {
  Simulation of = simulate(scenarios::read_scenario("tiny-gpt"));
  of.report.step = 2_s;
  of.report.parts = {};
  of.report.parts[static_cast<std::size_t>(sim::StepPart::gemm)] = 500_ms;
  of.report.parts[static_cast<std::size_t>(sim::StepPart::attention)] = 1_s;
  of.report.parts[static_cast<std::size_t>(sim::StepPart::host)] = 0.5_ms;
  of.report.memory.parts = {};
  of.report.memory.parts[static_cast<std::size_t>(sim::MemoryPart::activations)] = 30_GiB;
  of.report.memory.allocated = 30_GiB;
  of.report.memory.demand_at_start = 10_GiB;
  of.report.memory.demand = 35_GiB;
  of.report.memory.reserved = 40_GiB;
  of.report.memory.capacity = 50_GiB;
  of.scenario.cluster.device.memory = 60_GiB;
  of.replay.reset();
  return of;
}

std::map<std::string, std::string> facts_in(const Simulation& of) {
  std::map<std::string, std::string> facts;
  for (const Block& block : simulation_document(of).blocks) {
    if (const auto* const some = std::get_if<Facts>(&block.content)) {
      facts.insert(some->items.begin(), some->items.end());
    }
  }
  return facts;
}

std::vector<BarRow> bars_of(const Simulation& of) {
  std::vector<BarRow> rows;
  for (const Block& block : simulation_document(of).blocks) {
    if (const auto* const bars = std::get_if<Bars>(&block.content)) {
      rows.insert(rows.end(), bars->rows.begin(), bars->rows.end());
    }
  }
  return rows;
}

TEST(SimulationDocument, BarsAreSharesOfTheStepAndOfTheCapacity) {
  struct Case {
    const char* label;
    const char* value;
    double share;
    double length;
  };
  const std::vector<Case> cases{{"matrix products", "500.0 ms", 0.25, 0.5},
                                {"attention", "1.000 s", 0.5, 1.0},  // the host's 0.0 % is left out
                                {"activations", "30.00 GiB", 0.6, 0.6},
                                {"= allocated", "30.00 GiB", 0.6, 0.6},
                                {"demand", "35.00 GiB", 0.7, 0.7},
                                {"reserved", "40.00 GiB", 0.8, 0.8},
                                {"capacity", "50.00 GiB", 1.0, 1.0}};
  const std::vector<BarRow> rows = bars_of(example());
  ASSERT_EQ(rows.size(), cases.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].label, cases[i].label);
    EXPECT_EQ(rows[i].value, cases[i].value);
    EXPECT_NEAR(rows[i].share, cases[i].share, 1e-12) << rows[i].label;
    EXPECT_NEAR(rows[i].length, cases[i].length, 1e-12) << rows[i].label;
  }
}

TEST(SimulationDocument, BarsOfWhatDoesNotFitAreAsLongAsTheDemand) {
  Simulation of = example();
  of.report.memory.demand_at_start = 100_GiB;
  std::map<std::string_view, double> lengths;
  for (const BarRow& row : bars_of(of)) lengths[row.label] = row.length;
  EXPECT_EQ(lengths["demand"], 1.0);
  EXPECT_EQ(lengths["capacity"], 0.5);
}

TEST(SimulationDocument, FactsAreWhatTheStepCameTo) {
  Simulation of = example();
  std::map<std::string, std::string> facts = facts_in(of);
  EXPECT_EQ(facts["scenario"], "tiny-gpt");
  EXPECT_EQ(facts["step time"], "2.000 s");
  EXPECT_EQ(facts["bound by"], "tensor cores, in attention");
  // 64 sequences of 1,024 tokens in two seconds on 8 GPUs
  EXPECT_EQ(facts["throughput"], "32.77 k tokens/s, 4.096 k tokens/s a GPU, 32.0 samples/s");
  EXPECT_EQ(facts["device"], "50.00 GiB of 60.00 GiB, 10.00 GiB of it context and communicators");
  EXPECT_THAT(facts["headroom"], StartsWith("15.00 GiB to spare by demand: out of memory with "));
  EXPECT_FALSE(facts.contains("instance"));
  EXPECT_FALSE(facts.contains("note"));
  EXPECT_FALSE(facts.contains("engine"));
  EXPECT_FALSE(facts.contains("replay"));
  of.report.memory.demand = 60_GiB;
  of.instance = 1234;
  of.salt_sha256 = "ab";
  of.in_space = false;
  of.outside = "far away";
  facts = facts_in(of);
  EXPECT_THAT(facts["headroom"], StartsWith("10.00 GiB too little by demand: "));
  EXPECT_EQ(
      facts["instance"],
      "1,234: hidden constants drawn within their spread, sealed by the salt with SHA-256 ab");
  EXPECT_EQ(facts["note"], "outside the search space: far away");
}

TEST(SimulationDocument, ModelsWithExpertsSayWhereTheseLie) {
  std::map<std::string, std::string> facts =
      facts_in(simulate(scenarios::read_scenario("deepseek-v3")));
  EXPECT_THAT(facts["workload"],
              HasSubstr("682.6 B parameters (38.24 B used by a token): 61 layers, "
                        "58 of them with 256 experts, 8 a token beside a shared "
                        "one, hidden 7,168"));
  EXPECT_THAT(facts["layout"], HasSubstr(", experts over 64 ranks (deepep), zero1, fp8"));
}

TEST(SimulationDocument, SaysHowTheEventEnginePlayed) {
  Simulation of = example();
  of.played = PlayedStep{.contention = false,
                         .fold = true,
                         .jitter = 7,
                         .counts = {.events = 1, .ranks = 2, .flows = 3000},
                         .stall = {}};
  EXPECT_EQ(facts_in(of)["engine"],
            "event: 1 event, 2 of 8 ranks played, 3,000 flows, contention off, GPUs late as drawn "
            "from 7");
  EXPECT_THAT(facts_in(of)["objective"], testing::EndsWith(" tokens/s, of this one step"));
}

TEST(SimulationDocument, WhatDoesNotRunHasAResultInPlaceOfTimes) {
  const auto result_of = [](sim::StepStatus status) {
    Simulation of = example();
    of.report.status = status;
    of.report.violation = {sim::Rule::heads_divide, "tensor_parallel", 7, 128};
    const std::map<std::string, std::string> facts = facts_in(of);
    EXPECT_FALSE(facts.contains("step time"));
    EXPECT_EQ(facts.contains("device"), status != sim::StepStatus::invalid);
    return facts.at("result");
  };
  EXPECT_THAT(result_of(sim::StepStatus::oom_init),
              StartsWith("out of memory before the first step: the largest stage needs 10.00 GiB"));
  EXPECT_THAT(result_of(sim::StepStatus::oom_late), StartsWith("out of memory: stage 0 needs 35"));
  EXPECT_EQ(result_of(sim::StepStatus::invalid),
            "invalid: tensor_parallel is 7, but must divide attention_heads (128)");
}

TEST(SimulationJson, MemoryIsInBytes) {
  EXPECT_EQ(simulation_json(example())["memory"].dump(),
            R"({"capacity_bytes":53687091200,"allocated_bytes":32212254720,)"
            R"("reserved_bytes":42949672960,"device_bytes":53687091200,"demand_bytes":37580963840,)"
            R"("margin_bytes":16106127360,"oom_probability":)" +
                simulation_json(example())["memory"]["oom_probability"].dump() +
                R"(,"parts":[{"name":"activations","bytes":32212254720}],"peak":null})");
  EXPECT_EQ(simulation_json(example())["breakdown"].dump(),
            R"([{"name":"gemm","seconds":0.5},{"name":"attention","seconds":1.0},)"
            R"({"name":"host","seconds":0.0005}])");
}

TEST(PartNames, AreShortEnoughForTheirColumn) {
  for (int i = 0; i < sim::step_part_count; ++i) {
    EXPECT_LE(label_of(static_cast<sim::StepPart>(i)).size(), 23U);
  }
  for (int i = 0; i < sim::memory_part_count; ++i) {
    EXPECT_LE(label_of(static_cast<sim::MemoryPart>(i)).size(), 23U);
  }
}

}  // namespace
}  // namespace cubicbench::results
