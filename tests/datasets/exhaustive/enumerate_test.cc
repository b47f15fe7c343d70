#include "datasets/exhaustive/enumerate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "datasets/exhaustive/branch_and_bound.h"
#include "datasets/exhaustive/configuration_table.h"
#include "datasets/exhaustive/distribution.h"
#include "datasets/exhaustive/shard.h"
#include "datasets/problem/table_scenario.h"
#include "scenarios/readers/scenario_reader.h"
#include "scenarios/truth/true_values.h"
#include "sim/base/philox.h"
#include "support/input_error.h"
#include "tests/temporary_folder.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Direction;
using scenarios::Instance;
using scenarios::Metric;
using scenarios::ParameterSpec;
using scenarios::Scenario;
using scenarios::SearchSpace;

/// Draws by (seed, purpose of the draw).
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}
  std::uint64_t below(std::uint64_t n) {
    return sim::uniform_below(
        {.seed = seed_, .purpose = sim::Purpose::space_sample, .entity = next_++, .draw = 0}, n);
  }

 private:
  std::uint64_t seed_;
  std::uint64_t next_ = 0;
};

/// Some of the values of a setting, in order, at least one.
std::vector<std::int64_t> some_of(const std::vector<std::int64_t>& values, Draws& draws) {
  std::vector<std::int64_t> some;
  for (const std::int64_t value : values) {
    if (draws.below(3) > 0) some.push_back(value);
  }
  return some.empty() ? std::vector{values.front()} : some;
}

ParameterSpec parameter(const char* name, std::vector<std::int64_t> values) {
  return {.name = name,
          .type = scenarios::ParameterType::ordinal,
          .values = std::move(values),
          .when = {}};
}

/// A space of some dozens to thousands of configurations, some of which fail, with conditions and
/// constraints by chance.
SearchSpace random_transformer_space(const SearchSpace& like, Draws& draws) {
  std::vector<ParameterSpec> specs{parameter("tensor_parallel", some_of({1, 2, 3, 4, 8}, draws)),
                                   parameter("pipeline_parallel", some_of({1, 2, 4}, draws)),
                                   parameter("micro_batch", some_of({1, 2, 3, 4, 8, 64}, draws)),
                                   parameter("sequence_parallel", some_of({0, 1}, draws)),
                                   parameter("recompute", some_of({0, 1, 2}, draws)),
                                   parameter("async_tensor_parallel", some_of({0, 1}, draws))};
  if (draws.below(2) == 0) {
    specs[3].when.push_back({.name = "tensor_parallel", .values = {specs[0].values.back()}});
  }
  if (draws.below(2) == 0) specs.push_back(parameter("sharding", some_of({0, 1, 3, 4}, draws)));
  std::vector<scenarios::ConstraintSpec> constraints;
  if (draws.below(2) == 0) {
    constraints.push_back({"gpus divide", "gpus % (tensor_parallel * pipeline_parallel) == 0"});
  }
  if (draws.below(2) == 0) {
    constraints.push_back({"small", "micro_batch * tensor_parallel <= 16 or recompute == 1"});
  }
  scenarios::BuiltSpace built = SearchSpace::build(specs, constraints, like.base(), like.facts());
  EXPECT_TRUE(built.problems.empty()) << built.problems.front().text;
  return std::move(built.space);
}

SearchSpace random_ads_space(const SearchSpace& like, Draws& draws) {
  std::vector<ParameterSpec> specs{parameter("batch_per_gpu", some_of({1024, 4096, 65536}, draws)),
                                   parameter("embedding_plan", some_of({0, 1, 2}, draws)),
                                   parameter("compile", some_of({0, 1}, draws)),
                                   parameter("input_pipeline", some_of({0, 1, 2}, draws)),
                                   parameter("forward_comm_dtype", some_of({0, 3}, draws)),
                                   parameter("embedding_kernel", some_of({0, 2}, draws))};
  std::vector<scenarios::ConstraintSpec> constraints;
  if (draws.below(2) == 0) constraints.push_back({"some", "compile == 1 or input_pipeline != 1"});
  scenarios::BuiltSpace built = SearchSpace::build(specs, constraints, like.base(), like.facts());
  EXPECT_TRUE(built.problems.empty()) << built.problems.front().text;
  return std::move(built.space);
}

Scenario random_scenario(std::uint64_t seed) {
  Draws draws(seed);
  const bool ads = draws.below(3) == 0;
  Scenario scenario = scenarios::read_scenario(ads                   ? "dlrm-criteo"
                                               : draws.below(2) == 0 ? "tiny-llama"
                                                                     : "tiny-gpt");
  scenario.space = ads ? random_ads_space(scenario.space, draws)
                       : random_transformer_space(scenario.space, draws);
  if (draws.below(2) == 0) {
    scenario.objective = {.metric = scenarios::Metric::step_time_s,
                          .percentile = 90.0,
                          .direction = Direction::minimize};
  }
  return scenario;
}

/// The same problem, judged by energy or by cost.
Scenario random_frugal_scenario(std::uint64_t seed) {
  Scenario scenario = random_scenario(seed);
  const bool ads = scenarios::kind_of(scenario.workload) == scenarios::WorkloadKind::recommendation;
  scenario.objective = {};
  scenario.objective.metric = seed % 4 == 0
                                  ? (ads ? Metric::samples_per_usd : Metric::tokens_per_usd)
                                  : (ads ? Metric::samples_per_joule : Metric::tokens_per_joule);
  scenario.usd_per_gpu_hour = 2.5;
  return scenario;
}

/// One configuration after another, by the plainest way to a value.
struct BruteForce {
  ReasonCounts failures{};
  BestFound best;
  std::vector<double> values;
};

BruteForce brute_force(const Instance& instance) {
  const SearchSpace& space = instance.scenario().space;
  BruteForce all;
  sim::Workspace workspace;
  scenarios::Configuration configuration(space.size());
  for (std::uint64_t number = 0; number < space.count(); ++number) {
    space.configuration_at(number, configuration);
    const scenarios::TrueValue value = instance.true_value(configuration, workspace);
    if (value.reason != scenarios::Reason::none) {
      ++all.failures[static_cast<std::size_t>(value.reason)];
      continue;
    }
    all.values.push_back(value.value);
    const bool better = all.best.count == 0 || is_better(value.value, all.best.value,
                                                         instance.scenario().objective.direction);
    if (better) all.best = {.value = value.value, .count = 0, .numbers = {}};
    if (value.value == all.best.value) {
      ++all.best.count;
      if (all.best.numbers.size() < optima_listed_max) all.best.numbers.push_back(number);
    }
  }
  std::ranges::sort(all.values);
  return all;
}

/// Values that are too many to hold go to a folder of this process.
ValuingRun run_on(int threads) {
  static const TemporaryFolder folder;
  return {.threads = threads, .beside = folder / "values", .progress = {}};
}

std::vector<double> all_values(std::vector<RunSource> sources) {
  MergedRuns merged(std::move(sources));
  std::vector<double> values;
  std::vector<ValueRun> runs;
  for (merged.read(runs, 100); !runs.empty(); merged.read(runs, 100)) {
    for (const ValueRun& run : runs) values.insert(values.end(), run.count, run.value);
  }
  return values;
}

Enumeration enumeration(const Instance& instance, int threads) {
  ValuedRange range = valued_range(
      instance, {.first = 0, .count = instance.scenario().space.count()}, run_on(threads));
  ValuedSpace all{.failures = range.failures,
                  .best = range.best,
                  .best_configs = named_settings(instance.scenario().space, range.best.numbers),
                  .values = std::move(range.values)};
  return enumerated(enumeration_head(instance, "truth", "a.json"), std::move(all), 40, threads);
}

TEST(Enumerate, EqualsBruteForceOnRandomSpacesAndSoDoBounds) {
  int maximized = 0;
  int failing = 0;
  int tied = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    const Scenario scenario = random_scenario(seed);
    if (scenario.space.count() == 0) continue;
    const Instance instance(scenario, seed % 3);
    const BruteForce expected = brute_force(instance);
    maximized += scenario.objective.direction == Direction::maximize ? 1 : 0;
    failing += failed_in(expected.failures) > 0 ? 1 : 0;
    tied += expected.best.count > 1 ? 1 : 0;

    ValuedRange range =
        valued_range(instance, {.first = 0, .count = scenario.space.count()}, run_on(2));
    EXPECT_EQ(range.failures, expected.failures);
    EXPECT_TRUE(range.best == expected.best);
    EXPECT_TRUE(all_values(std::move(range.values)) == expected.values);

    const BoundedOptimum bounded = bounded_optimum(instance, std::nullopt, run_on(1));
    EXPECT_TRUE(bounded.complete);
    EXPECT_TRUE(bounded.best == expected.best);
    EXPECT_LE(bounded.valued, scenario.space.count());
    EXPECT_TRUE(bounded.best.count == 0 || bounded.bound == expected.best.value);
  }
  EXPECT_GT(maximized, 50);
  EXPECT_LT(maximized, 150);
  EXPECT_GT(failing, 50);
  EXPECT_GT(tied, 50);
}

TEST(Enumerate, OfEnergyAndCostEqualsBruteForceAndSoDoBounds) {
  std::uint64_t spared = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    const Scenario scenario = random_frugal_scenario(seed);
    if (scenario.space.count() == 0) continue;
    const Instance instance(scenario, seed % 3);
    const BruteForce expected = brute_force(instance);
    const ValuedRange range =
        valued_range(instance, {.first = 0, .count = scenario.space.count()}, run_on(2));
    EXPECT_TRUE(range.best == expected.best);
    const BoundedOptimum bounded = bounded_optimum(instance, std::nullopt, run_on(1));
    EXPECT_TRUE(bounded.complete);
    EXPECT_TRUE(bounded.best == expected.best);
    EXPECT_TRUE(bounded.best.count == 0 || bounded.bound == expected.best.value);
    spared += scenario.space.count() - bounded.valued;
  }
  EXPECT_GT(spared, 0U);
}

TEST(Enumerate, BoundsGiveTheSameOnAnyNumberOfThreadsAndKeepTheLimit) {
  const Instance instance(scenarios::read_scenario("tiny-gpt"), 0);
  const Direction direction = instance.scenario().objective.direction;
  const double best = brute_force(instance).best.value;
  for (const std::uint64_t limit : {1, 4, 50, 400, 100'000}) {
    SCOPED_TRACE(limit);
    const BoundedOptimum one = bounded_optimum(instance, limit, run_on(1));
    const BoundedOptimum three = bounded_optimum(instance, limit, run_on(3));
    EXPECT_TRUE(one.best == three.best);
    EXPECT_EQ(one.bound, three.bound);
    EXPECT_EQ(one.valued, three.valued);
    EXPECT_EQ(one.complete, three.complete);
    EXPECT_LE(one.valued, limit);
    EXPECT_FALSE(is_better(best, one.bound, direction));
    EXPECT_FALSE(is_better(one.best.value, best, direction));
    EXPECT_GT(one.best.count, 0U);  // the baseline at least
  }
  EXPECT_TRUE(bounded_optimum(instance, 100'000, run_on(1)).complete);
}

TEST(Enumerate, StatesABoundWhereTheLimitEndsTheSearch) {
  // More configurations than that share the optimum.
  const Instance instance(scenarios::read_scenario("dlrm-criteo"), 0);
  const BoundedOptimum early = bounded_optimum(instance, 100, run_on(2));
  EXPECT_FALSE(early.complete);
  EXPECT_TRUE(std::isfinite(early.bound));
  EXPECT_GE(early.bound, early.best.value);
}

TEST(Enumerate, IsTheSameOnAnyNumberOfThreads) {
  const Instance instance(scenarios::read_scenario("tiny-llama"), 1);
  const Enumeration one = enumeration(instance, 1);
  EXPECT_TRUE(one == enumeration(instance, 4));
  EXPECT_EQ(one.valued, instance.scenario().space.count());
  EXPECT_EQ(one.best_of_k.size(), 40U);
}

TEST(Enumerate, PlaysTablesOfRuns) {
  const Scenario scenario = read_scenario("nanotron-1.34b-16gpu");
  const Enumeration all = enumeration(Instance(scenario, 0), 1);
  EXPECT_EQ(all.configurations, 100U);
  ASSERT_EQ(all.failures.size(), 1U);
  EXPECT_EQ(all.failures.front().second, 41U);
  EXPECT_TRUE(all.rejected_by.empty());
  EXPECT_FALSE(all.baseline.stated);
  EXPECT_FALSE(all.baseline.value || all.baseline.share_better);
  ASSERT_TRUE(all.optimum.has_value());
  EXPECT_EQ(all.optimum->value, all.quantiles.back());
}

TEST(Enumerate, SaysWhereNothingRuns) {
  Scenario scenario = scenarios::read_scenario("tiny-gpt");
  const scenarios::BuiltSpace built = SearchSpace::build(
      {parameter("tensor_parallel", {3, 5})}, {}, scenario.space.base(), scenario.space.facts());
  scenario.space = built.space;
  const Instance instance(scenario, 0);
  const Enumeration all = enumeration(instance, 1);
  EXPECT_FALSE(all.optimum.has_value());
  EXPECT_TRUE(all.quantiles.empty());
  EXPECT_TRUE(all.best_of_k.empty());
  EXPECT_EQ(all.baseline.share_better, 0.0);
  const BoundedOptimum bounded = bounded_optimum(instance, std::nullopt, run_on(1));
  EXPECT_TRUE(bounded.complete);
  EXPECT_EQ(bounded.best.count, 0U);
}

// ---- shards

std::string message_of(const std::vector<EnumerationShard>& shards) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < shards.size(); ++i) paths.push_back("s" + std::to_string(i));
  try {
    merged(shards, paths, 1);
  } catch (const support::InputError& error) {
    return error.what();
  }
  return "";
}

std::vector<EnumerationShard> shards_of(const Instance& instance, std::int64_t of) {
  std::vector<EnumerationShard> shards;
  for (std::int64_t index = 1; index <= of; ++index) {
    EnumerationShard shard;
    shard.head = enumeration_head(instance, "truth", "a.json");
    shard.k_max = 40;
    shard.index = index;
    shard.of = of;
    ValuedRange range =
        valued_range(instance, range_of_shard(shard.head.configurations, index, of), run_on(1));
    shard.failures = range.failures;
    shard.best = range.best;
    shard.best_configs = named_settings(instance.scenario().space, range.best.numbers);
    store_values(MergedRuns(std::move(range.values)), "unused", shard);
    shards.push_back(std::move(shard));
  }
  return shards;
}

TEST(Shards, CoverEveryConfigurationOnce) {
  for (const std::uint64_t count : {0ULL, 1ULL, 10ULL, 18'446'744'073'709'551'615ULL}) {
    for (const std::int64_t of : {1, 3, 7, 1000}) {
      std::uint64_t next = 0;
      for (std::int64_t index = 1; index <= of; ++index) {
        const NumberRange range = range_of_shard(count, index, of);
        EXPECT_EQ(range.first, next);
        next += range.count;
      }
      EXPECT_EQ(next, count);
    }
  }
}

TEST(Shards, LeaveNoValuesOfAnEarlierRun) {
  const TemporaryFolder folder;
  const std::string path = folder / "values";
  const auto stored = [&](std::size_t different) {
    std::vector<ValueRun> runs;
    for (std::size_t i = 0; i < different; ++i) runs.push_back({static_cast<double>(i), 1});
    std::vector<RunSource> sources;
    sources.emplace_back(std::move(runs));
    EnumerationShard shard;
    store_values(MergedRuns(std::move(sources)), path, shard);
    EXPECT_EQ(shard.file.has_value(), std::filesystem::exists(path)) << different;
    return shard.file.has_value();
  };
  EXPECT_TRUE(stored(inline_runs_max + 1));
  EXPECT_FALSE(stored(inline_runs_max));
}

/// What a signal does: the second look ends the work.
std::function<void()> ending_soon() {
  return [looks = 0]() mutable {
    if (++looks == 2) throw std::runtime_error("ended");
  };
}

TEST(Enumerate, LeavesNothingHalfWrittenWhenItIsEnded) {
  const TemporaryFolder folder;
  const auto many = [] {
    std::vector<ValueRun> runs;
    for (std::size_t i = 0; i < 100'000; ++i) runs.push_back({static_cast<double>(i), 1});
    std::vector<RunSource> sources;
    sources.emplace_back(std::move(runs));
    return MergedRuns(std::move(sources));
  };
  EnumerationShard shard;
  EXPECT_THROW(store_values(many(), folder / "a.values", shard, ending_soon()), std::runtime_error);
  const DistributionQuestion question{.direction = Direction::maximize,
                                      .configurations = 100'000,
                                      .failed = 0,
                                      .baseline = {},
                                      .k_max = 1};
  EXPECT_THROW(summarised(many(), question, 1, ending_soon()), std::runtime_error);
  const Scenario scenario = scenarios::read_scenario("tiny-llama");
  const std::vector<scenarios::TrueValue> values(scenario.space.count());
  const auto now = [] { throw std::runtime_error("ended"); };
  EXPECT_THROW(write_configuration_table(scenario.space, values, folder / "t.csv", now),
               std::runtime_error);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Shards, MakeTheWholeInAnyOrder) {
  const Instance instance(scenarios::read_scenario("tiny-gpt"), 0);
  const Enumeration whole = enumeration(instance, 1);
  for (const std::int64_t of : {1, 3, 5000}) {
    std::vector<EnumerationShard> shards = shards_of(instance, of);
    std::ranges::reverse(shards);
    EXPECT_TRUE(merged(shards, std::vector<std::string>(shards.size(), "s"), 2) == whole) << of;
  }
}

TEST(Shards, RefuseWhatIsMissingTwiceOrForeign) {
  const Instance instance(scenarios::read_scenario("tiny-gpt"), 0);
  const std::vector<EnumerationShard> good = shards_of(instance, 3);
  EXPECT_EQ(message_of({good[0], good[2]}), "s0: expected all 3 shards, got none that is 2/3");
  EXPECT_EQ(message_of({good[0], good[1], good[2], good[1]}),
            "s3: expected each shard once, got 2/3, as s1 is");
  std::vector<EnumerationShard> foreign = good;
  foreign[1].head.instance = 4;
  EXPECT_EQ(message_of(foreign),
            "s1: expected a shard of the enumeration of s0, got one with another instance");
  foreign = good;
  foreign[2].head.truth_sha256 = "other";
  EXPECT_EQ(message_of(foreign),
            "s2: expected a shard of the enumeration of s0, got one with another truth_sha256");
  foreign = good;
  foreign[2].of = 4;
  EXPECT_EQ(message_of(foreign),
            "s2: expected a shard of the enumeration of s0, got one with another number of shards");
  foreign = good;
  foreign[0].runs.pop_back();
  EXPECT_TRUE(message_of(foreign).starts_with("values of the enumeration: expected those of "));
}

}  // namespace
}  // namespace cubicbench::datasets
