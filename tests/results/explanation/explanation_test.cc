#include "results/explanation/explanation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "datasets/problem/table_scenario.h"
#include "results/explanation/differences.h"
#include "results/explanation/explanation_json.h"
#include "results/explanation/judged_text.h"
#include "results/explanation/term_words.h"
#include "results/simulation/simulation_document.h"
#include "tests/draws_asked.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::Scenario;

constexpr std::uint64_t seed = 0x6578706c61696e;

/// Eight problems: dense, with experts, long contexts, fine-tuning, recommendation.
const std::vector<std::string> problems{"llama3-405b",    "llama3-70b", "mixtral-8x7b",
                                        "long-context@0", "moe@0",      "fine-tuning@0",
                                        "ads-73b",        "dlrm-dcnv2"};

/// Of all problems together.
std::uint64_t draws_per_problem() { return (draws_asked(32) + 7) / 8; }

/// What `--set` takes for a configuration.
std::vector<std::string> sets_of(std::span<const scenarios::Assignment> config) {
  std::vector<std::string> sets;
  for (const scenarios::Assignment& one : config) {
    sets.push_back(std::string(one.setting->name) + "=" +
                   scenarios::format_setting(*one.setting, one.value));
  }
  return sets;
}

/// The problem with a random configuration as its baseline, and the texts that set it.
struct Drawn {
  Scenario scenario;
  std::vector<std::string> sets;
};

Drawn drawn(const Scenario& scenario, std::uint64_t draw) {
  Drawn one{.scenario = scenario, .sets = {}};
  scenarios::Configuration configuration(scenario.space.size());
  scenario.space.sample(seed, draw, configuration);
  scenario.space.apply(configuration, one.scenario.baseline);
  one.sets = sets_of(scenario.space.to_assignment(configuration));
  return one;
}

double sum_of(const Json& list, const char* key) {
  double sum = 0.0;
  for (const Json& one : list) sum += one.at(key).get<double>();
  return sum;
}

void expect_near(double got, double expected) {
  EXPECT_NEAR(got, expected, 1e-9 * std::max(1.0, std::abs(expected)));
}

/// What both documents say of the plan.
void expect_as_simulated(const Json& explained, const Json& simulated) {
  EXPECT_EQ(explained.at("plan"), simulated.at("config"));
  for (const char* key : {"scenario", "scenario_sha256", "in_space", "status", "why", "step_time_s",
                          "objective", "bound_by"}) {
    EXPECT_EQ(explained.at(key), simulated.at(key)) << key;
  }
  const Json& memory = simulated.at("memory");
  if (memory.is_null()) {
    EXPECT_TRUE(explained.at("memory").empty());
    return;
  }
  for (const char* key : {"capacity_bytes", "allocated_bytes", "demand_bytes", "margin_bytes"}) {
    EXPECT_EQ(explained.at("memory_limit").at(key), memory.at(key)) << key;
  }
  EXPECT_EQ(sum_of(explained.at("memory"), "bytes"), memory.at("allocated_bytes").get<double>());
}

/// Terms of one part sum to the part of the breakdown, all of them to the step.
void expect_sums(const Json& explained, const Json& simulated) {
  if (simulated.at("step_time_s").is_null()) {
    EXPECT_TRUE(explained.at("terms").empty());
    return;
  }
  expect_near(sum_of(explained.at("terms"), "seconds"), simulated.at("step_time_s"));
  for (const Json& part : simulated.at("breakdown")) {
    double sum = 0.0;
    for (const Json& term : explained.at("terms")) {
      if (term.at("part") == part.at("name")) sum += term.at("seconds").get<double>();
    }
    expect_near(sum, part.at("seconds"));
  }
}

/// Set as it was printed, the change comes to what was printed.
void expect_true(const Json& change, const std::string& name, std::vector<std::string> sets) {
  for (const auto& [knob, value] : change.at("set").items()) {
    std::erase_if(sets, [&](const std::string& set) { return set.starts_with(knob + "="); });
    sets.push_back(knob + "=" + (value.is_string() ? value.get<std::string>() : value.dump()));
  }
  const Json simulated = simulation_json(simulate(datasets::read_scenario(name, sets), sets));
  EXPECT_EQ(change.at("status"), simulated.at("status"));
  EXPECT_EQ(change.at("step_time_s"), simulated.at("step_time_s"));
  EXPECT_EQ(change.at("objective"), simulated.at("objective").at("value"));
  EXPECT_EQ(change.at("in_space"), simulated.at("in_space"));
  EXPECT_EQ(change.at("memory_bytes"), simulated.at("memory").at("demand_bytes"));
}

class Explained : public testing::TestWithParam<std::string> {
 protected:
  const Scenario scenario_ = datasets::read_scenario(GetParam());
};

TEST_P(Explained, SumsToWhatIsSimulatedAndAdviceIsTrue) {
  for (std::uint64_t draw = 0; draw < draws_per_problem(); ++draw) {
    SCOPED_TRACE("draw " + std::to_string(draw));
    const Drawn one = drawn(scenario_, draw);
    const Json explained = explanation_json(explain(one.scenario, one.sets, 0, 2));
    const Json simulated = simulation_json(simulate(one.scenario, one.sets));
    expect_as_simulated(explained, simulated);
    expect_sums(explained, simulated);
    for (const Json& advice : explained.at("advice")) expect_true(advice, GetParam(), one.sets);
  }
}

TEST_P(Explained, DifferencesSumAndTurnRound) {
  for (std::uint64_t draw = 0; draw < draws_per_problem(); ++draw) {
    SCOPED_TRACE("draw " + std::to_string(draw));
    const Drawn a = drawn(scenario_, 2 * draw);
    const Drawn b = drawn(scenario_, 2 * draw + 1);
    const ExplainedPlan here = explained_plan(a.scenario, a.sets, 0);
    const ExplainedPlan there = explained_plan(b.scenario, b.sets, 0);
    const auto times = term_differences(here, there);
    const auto back = term_differences(there, here);
    ASSERT_EQ(times.size(), back.size());
    double sum = 0.0;
    for (std::size_t i = 0; i < times.size(); ++i) {
      EXPECT_EQ(times[i].more(), -back[i].more());
      sum += times[i].more().value;
    }
    if (has_step(here.simulation) && has_step(there.simulation)) {
      expect_near(sum, (there.simulation.report.step - here.simulation.report.step).value);
    } else {
      EXPECT_TRUE(times.empty());
    }
    double bytes = 0.0;
    for (const PartDifference& part : part_differences(here, there)) bytes += part.more().value;
    EXPECT_EQ(
        bytes,
        (there.simulation.report.memory.allocated - here.simulation.report.memory.allocated).value);
  }
}

INSTANTIATE_TEST_SUITE_P(Problems, Explained, testing::ValuesIn(problems),
                         [](const testing::TestParamInfo<std::string>& problem) {
                           std::string word = problem.param;
                           for (char& c : word) {
                             if (c == '-' || c == '@') c = '_';
                           }
                           return word;
                         });

TEST(Explanation, EveryTermHasAnEquationWithItsSource) {
  for (std::size_t i = 0; i < sim::step_item_count; ++i) {
    const auto item = static_cast<sim::StepItem>(i);
    for (const bool in_units : {false, true}) {
      const std::string equation = equation_of(item, {}, in_units);
      EXPECT_NE(equation.find(" [docs/models.md, Eq. "), std::string::npos) << equation;
      EXPECT_LE(label_of(item).size(), 23U);
    }
    EXPECT_FALSE(phrase_of(item).empty());
  }
}

TEST(Explanation, EveryPartOfMemoryHasAnEquationWithItsSource) {
  for (int i = 0; i < sim::memory_part_count; ++i) {
    for (const sim::Recompute recompute :
         {sim::Recompute::none, sim::Recompute::selective, sim::Recompute::full}) {
      const std::string equation =
          equation_of(static_cast<sim::MemoryPart>(i), {.recompute = recompute});
      EXPECT_NE(equation.find(" [docs/models.md, Eq. "), std::string::npos) << equation;
    }
  }
}

// A product of intensity I on a device with peak P and bandwidth B reaches at most min(P, I B).
TEST(Explanation, NothingLiesAboveTheRoofline) {
  for (const std::string& name : problems) {
    const ExplainedPlan plan = explained_plan(datasets::read_scenario(name), {}, 0);
    for (const RooflinePoint& point : roofline_of(plan)) {
      SCOPED_TRACE(name + ", " + std::string(name_of(point.role)));
      EXPECT_LE(point.of_peak.value_or(0.0), 1.0);
      EXPECT_LE(point.of_bandwidth.value_or(0.0), 1.0);
      if (!point.intensity || !point.of_peak) continue;
      // of_peak P = I (of_bandwidth B), so their ratio is I over the ridge.
      EXPECT_NEAR(*point.of_peak, *point.of_bandwidth * *point.intensity / point.ridge,
                  1e-9 * *point.of_peak);
    }
  }
}

TEST(Explanation, NamesTheLinkThatACollectiveIsBoundBy) {
  const scenarios::LinkNames links{.domain = "NVLink", .fabric = "InfiniBand"};
  sim::Transmission one{.group = {.ranks = 8, .ranks_per_node = 8}};
  one.cost.bottleneck = sim::Bottleneck::domain;
  EXPECT_EQ(link_of(one, links), "NVLink");
  one.cost.bottleneck = sim::Bottleneck::latency;
  EXPECT_EQ(link_of(one, links), "NVLink, latency");
  one.group.ranks = 64;
  EXPECT_EQ(link_of(one, links), "InfiniBand, latency");
  one.cost.bottleneck = sim::Bottleneck::adapters;
  EXPECT_EQ(link_of(one, links), "InfiniBand");
  one.cost.bottleneck = sim::Bottleneck::upper_tiers;
  EXPECT_EQ(link_of(one, links), "InfiniBand, upper tiers");
}

TEST(LinkNames, AreThoseOfTheLibrarysNetworks) {
  const auto names = [](const char* network) {
    Scenario scenario;
    scenario.network = network;
    return scenarios::link_names(scenario);
  };
  EXPECT_EQ(names("llama3-roce").domain, "NVLink");
  EXPECT_EQ(names("llama3-roce").fabric, "RoCE");
  EXPECT_EQ(names("nvl72-ndr").fabric, "InfiniBand");
  EXPECT_EQ(names("tpu-v4-pod").domain, "ICI");
  EXPECT_EQ(names("./mine.json").fabric, "fabric");
}

}  // namespace
}  // namespace cubicbench::results
