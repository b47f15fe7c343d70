#include "datasets/families/baseline_rule.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "scenarios/evaluation/evaluate.h"
#include "scenarios/readers/scenario_reader.h"
#include "sim/memory/memory_report.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Ladder;

Ladder ladder(const std::string& text) {
  const auto json = nlohmann::ordered_json::parse(text);
  std::vector<support::Problem> problems;
  support::ObjectReader in(json, "f", "", problems);
  Ladder read = scenarios::read_ladder(in);
  EXPECT_TRUE(problems.empty());
  return read;
}

/// The value of setting `name` in a configuration, as JSON.
nlohmann::ordered_json value_of(const scenarios::SearchSpace& space,
                                const scenarios::Configuration& configuration, const char* name) {
  for (const scenarios::Assignment& a : space.to_assignment(configuration)) {
    if (a.setting->name == name) return json_of(*a.setting, a.value);
  }
  return {};
}

/// llama3-8b on 64 H100 GPUs with `gib` of memory each.
scenarios::Instance llama(double gib) {
  const std::vector<std::string> sets{"cluster.memory_gib=" + std::to_string(gib)};
  return {scenarios::read_scenario("llama3-8b", sets), 0};
}

double oom_probability(const scenarios::Instance& instance,
                       const scenarios::Configuration& configuration) {
  sim::Plan plan;
  instance.scenario().space.apply(configuration, plan);
  sim::Workspace workspace;
  return sim::oom_probability(evaluate(instance.scenario(), plan, workspace).memory);
}

const std::string fixed =
    R"({"pipeline_parallel": 1, "context_parallel": 1, "sequence_parallel": true,
        "async_tensor_parallel": false, "micro_batch": 1, "wrap": 1, "reshard_after_forward": true,
        "forward_prefetch": false, "backward_prefetch": "pre", "limit_all_gathers": true,
        "accumulate_without_sync": false, "reduce_dtype": "fp32", "compile": true})";

TEST(BaselineRule, TakesTheFirstStepThatRuns) {
  const scenarios::Instance instance = llama(79.65);
  const Ladder rule = ladder(R"({"source": "", "ladder": [[)" + fixed + R"(],
    [{"tensor_parallel": 3}, {"tensor_parallel": 1}],
    [{"sharding": "zero1", "recompute": "none"}, {"sharding": "full_shard", "recompute": "full"}]]})");
  const auto found = baseline_by_rule(rule, instance);
  ASSERT_TRUE(found);
  const scenarios::SearchSpace& space = instance.scenario().space;
  // Three is no value of the space, ZeRO-1 keeps 16 GB of weights and 32 GB of gradients.
  EXPECT_EQ(value_of(space, found->configuration, "tensor_parallel"), 1);
  sim::Workspace workspace;
  EXPECT_EQ(instance.true_value(found->configuration, workspace).value, found->value);
  EXPECT_LE(found->launches, 2);
  EXPECT_GE(found->launches, 1);
}

TEST(BaselineRule, GoesOnWhereMemoryIsShort) {
  const Ladder rule =
      ladder(R"({"source": "", "ladder": [[)" + fixed + R"(], [{"tensor_parallel": 1}],
    [{"sharding": "zero1", "recompute": "none"}, {"sharding": "full_shard", "recompute": "full"}]]})");
  const scenarios::Instance instance = llama(30.0);
  const auto found = baseline_by_rule(rule, instance);
  ASSERT_TRUE(found);
  const scenarios::SearchSpace& space = instance.scenario().space;
  EXPECT_EQ(value_of(space, found->configuration, "sharding"), "full_shard");
  EXPECT_EQ(found->launches, 2);
  EXPECT_FALSE(baseline_by_rule(rule, llama(4.0)));
}

TEST(BaselineRule, RaisesWhatIsToGrowWhileItPays) {
  const std::string steps =
      R"({"source": "", "ladder": [[)" + fixed +
      R"(], [{"tensor_parallel": 1, "sharding": "full_shard", "recompute": "full"}]])";
  const scenarios::Instance instance = llama(79.65);
  const auto small = baseline_by_rule(ladder(steps + "}"), instance);
  const auto grown = baseline_by_rule(ladder(steps + R"(, "grow": ["micro_batch"]})"), instance);
  ASSERT_TRUE(small && grown);
  const scenarios::SearchSpace& space = instance.scenario().space;
  EXPECT_EQ(value_of(space, small->configuration, "micro_batch"), 1);
  const std::int64_t batch = value_of(space, grown->configuration, "micro_batch");
  EXPECT_GT(batch, 1);
  EXPECT_GT(grown->value, small->value);
  // The next one does not run, or not in nine launches of ten, or is no better.
  scenarios::Configuration next = grown->configuration;
  const auto parameter = static_cast<std::size_t>(space.find("micro_batch"));
  if (next[parameter] + 1 == std::ssize(space.parameters()[parameter].values)) return;
  ++next[parameter];
  sim::Workspace workspace;
  const auto value = instance.true_value(next, workspace);
  EXPECT_TRUE(value.reason != scenarios::Reason::none || value.value <= grown->value ||
              oom_probability(instance, next) > 0.1);
}

TEST(BaselineRule, LeavesRoomToSpareWhereLaunchesVary) {
  const Ladder rule =
      ladder(R"({"source": "", "ladder": [[)" + fixed +
             R"(], [{"tensor_parallel": 1, "sharding": "full_shard", "recompute": "full"}]],
    "grow": ["micro_batch"]})");
  for (const double gib : {40.0, 60.0, 79.65}) {
    const scenarios::Instance instance = llama(gib);
    const auto found = baseline_by_rule(rule, instance);
    ASSERT_TRUE(found) << gib;
    EXPECT_LE(oom_probability(instance, found->configuration), 0.1) << gib;
  }
}

}  // namespace
}  // namespace cubicbench::datasets
