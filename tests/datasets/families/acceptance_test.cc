#include "datasets/families/acceptance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "datasets/families/member.h"
#include "datasets/families/transfer.h"
#include "datasets/landscape/judge.h"
#include "datasets/problem/table_scenario.h"
#include "tests/datasets/families/tiny_family.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Acceptance;

const Acceptance anything{
    .configurations = {1, 1e18}, .runs = {0, 1}, .gain = {1, 1e6}, .percentile = {0, 100}};

scenarios::Ladder first_step() {
  const auto json = nlohmann::ordered_json::parse(R"({"source": "", "ladder": [
    [{"micro_batch": 1, "offload": "none", "tensor_parallel": 8, "sharding": "full_shard",
      "recompute": "selective"}]]})");
  std::vector<support::Problem> problems;
  support::ObjectReader in(json, "f", "", problems);
  return scenarios::read_ladder(in);
}

struct Values {
  std::vector<double> running;
  std::uint64_t all = 0;
};

Values values_of(const scenarios::Scenario& scenario) {
  Values values{.running = {}, .all = scenario.space.count()};
  std::vector<std::uint64_t> numbers(values.all);
  for (std::uint64_t i = 0; i < values.all; ++i) numbers[i] = i;
  const scenarios::Instance instance(scenario, 0);
  for (const auto& value : truth_judge(instance, 1)(numbers)) {
    if (value.reason == scenarios::Reason::none) values.running.push_back(value.value);
  }
  return values;
}

std::optional<Refusal> refusal_under(const scenarios::Scenario& scenario, Acceptance accept) {
  return judge_draw(scenario, first_step(), accept, 1).refusal;
}

TEST(Acceptance, KnowsASmallSpaceExactly) {
  const scenarios::Scenario scenario = read_scenario(tiny_member(1));
  const JudgedDraw judged = judge_draw(scenario, first_step(), anything, 1);
  const Values values = values_of(scenario);
  ASSERT_TRUE(judged.baseline);
  EXPECT_EQ(judged.properties.configurations, values.all);
  EXPECT_DOUBLE_EQ(judged.properties.runs,
                   static_cast<double>(values.running.size()) / static_cast<double>(values.all));
  const double best = *std::ranges::max_element(values.running);
  EXPECT_DOUBLE_EQ(judged.properties.gain, best / judged.baseline->value);
  const auto better = std::ranges::count_if(
      values.running, [&](double value) { return value > judged.baseline->value; });
  EXPECT_NEAR(
      judged.properties.percentile,
      100.0 - 100.0 * static_cast<double>(better) / static_cast<double>(values.running.size()),
      1e-9);
  EXPECT_EQ(judged.running.size(), values.running.size());
  EXPECT_TRUE(std::ranges::is_sorted(judged.running, std::greater<>()));
}

TEST(Acceptance, RefusesByTheFirstThatFails) {
  const scenarios::Scenario scenario = read_scenario(tiny_member(1));
  const MemberProperties known = judge_draw(scenario, first_step(), anything, 1).properties;
  ASSERT_GT(known.gain, 1.05);
  EXPECT_EQ(refusal_under(scenario, anything), std::nullopt);
  Acceptance accept = anything;
  accept.gain = {1, known.gain - 0.01};
  EXPECT_EQ(refusal_under(scenario, accept), Refusal::gain);
  accept.percentile = {std::min(99.5, known.percentile + 0.1), 100};
  EXPECT_EQ(refusal_under(scenario, accept), Refusal::percentile);
  accept.runs = {0, known.runs - 0.1};
  EXPECT_EQ(refusal_under(scenario, accept), Refusal::runs);
  accept.configurations = {1e6, 1e9};
  EXPECT_EQ(refusal_under(scenario, accept), Refusal::space);
}

TEST(Acceptance, RefusesABudgetOfMoreThanATenthOfTheSpace) {
  scenarios::Scenario scenario = read_scenario(tiny_member(1));
  scenario.budget.trials = static_cast<std::int64_t>(scenario.space.count() / 10) + 1;
  EXPECT_EQ(refusal_under(scenario, anything), Refusal::space);
}

TEST(Acceptance, RefusesWhereTheRuleFindsNothing) {
  scenarios::Scenario scenario = read_scenario(tiny_member(1));
  scenario.cluster.device.memory = {1e8};
  EXPECT_EQ(refusal_under(scenario, anything), Refusal::baseline);
}

TEST(Transfer, OfAMemberToItselfIsNoPair) {
  const scenarios::Family family = scenarios::read_family(tiny_family());
  const MadeMember one = made_member(family, 0, nullptr, 1);
  EXPECT_EQ(transfer_of(std::vector<MadeMember>{one}, 1).pairs, 0);
  // Its twin has the same optimum, which is in its best hundredth and closes the gap.
  const Transfer twins = transfer_of(std::vector<MadeMember>{one, one}, 1);
  EXPECT_EQ(twins.pairs, 2);
  EXPECT_EQ(twins.runs, 2);
  EXPECT_EQ(twins.in_best_1, 2);
  EXPECT_DOUBLE_EQ(twins.gap_closed, 1.0);
  EXPECT_DOUBLE_EQ(twins.best_of_5, 1.0);
}

TEST(Transfer, CountsWhatDoesNotRunAsNothing) {
  const scenarios::Family family = scenarios::read_family(tiny_family());
  const MadeMember one = made_member(family, 0, nullptr, 1);
  MadeMember short_of_memory = one;
  short_of_memory.scenario.cluster.device.memory = {1e8};
  const Transfer transfer = transfer_of(std::vector<MadeMember>{one, short_of_memory}, 1);
  EXPECT_EQ(transfer.pairs, 2);
  EXPECT_EQ(transfer.runs, 1);  // that of the second in the first
  EXPECT_DOUBLE_EQ(transfer.gap_closed, 0.5);
}

}  // namespace
}  // namespace cubicbench::datasets
