#include "datasets/exhaustive/value_sketch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "datasets/exhaustive/enumerate.h"
#include "datasets/exhaustive/enumeration_json.h"
#include "datasets/exhaustive/shard.h"
#include "scenarios/readers/scenario_reader.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Direction;
using scenarios::Instance;

constexpr double error = ValueSketch::relative_error;
constexpr Direction directions[] = {Direction::maximize, Direction::minimize};

/// By how much of its size `rounded` is worse than `exact`.
double worse_by(double exact, double rounded, Direction direction) {
  return (direction == Direction::maximize ? exact - rounded : rounded - exact) / exact;
}

TEST(ValueSketch, RoundsToTheWorseByLessThanItsError) {
  std::mt19937_64 random(7);
  for (const Direction direction : directions) {
    const ValueSketch sketch(direction, std::nullopt);
    for (int i = 0; i < 10'000; ++i) {
      const int exponent = static_cast<int>(random() % 1200) - 600;
      const double value =
          std::ldexp(1.0 + static_cast<double>(random() >> 12) * 0x1p-52, exponent);
      const double worse = worse_by(value, sketch(value), direction);
      ASSERT_GE(worse, 0.0) << value;
      ASSERT_LT(worse, error) << value;
      ASSERT_EQ(sketch(sketch(value)), sketch(value));
    }
  }
}

TEST(ValueSketch, RoundsByHand) {
  const ValueSketch down(Direction::maximize, std::nullopt);
  const ValueSketch up(Direction::minimize, std::nullopt);
  // From 1 to 2 the results are 1/4096 apart, from 4096 to 8192 they are whole numbers.
  EXPECT_EQ(down(1.0 + 1.75 / 4096), 1.0 + 1.0 / 4096);
  EXPECT_EQ(up(1.0 + 1.25 / 4096), 1.0 + 2.0 / 4096);
  EXPECT_EQ(down(5000.9), 5000.0);
  EXPECT_EQ(up(5000.1), 5001.0);
  EXPECT_EQ(up(8191.5), 8192.0);
  for (const double exact : {0.0, 1.0, 5000.0, 0x1p40}) {
    EXPECT_EQ(down(exact), exact);
    EXPECT_EQ(up(exact), exact);
  }
  EXPECT_EQ(down(-0.0), 0.0);
}

TEST(ValueSketch, KeepsOrderAndWhatIsBetterThanTheBaseline) {
  constexpr double baseline = 5000.5;
  for (const Direction direction : directions) {
    const ValueSketch sketch(direction, baseline);
    double last = 0.0;
    for (double value = 4998.0; value < 5003.0; value += 0x1p-6) {
      const double rounded = sketch(value);
      ASSERT_GE(rounded, last) << value;
      ASSERT_EQ(is_better(rounded, baseline, direction), is_better(value, baseline, direction))
          << value;
      ASSERT_LT(worse_by(value, rounded, direction), error) << value;
      ASSERT_GE(worse_by(value, rounded, direction), 0.0) << value;
      last = rounded;
    }
  }
}

// ---- whole enumerations

Enumeration head_of(const Instance& instance, bool sketched) {
  Enumeration head = enumeration_head(instance, "truth", "a.json");
  head.sketched = sketched;
  return head;
}

std::optional<ValueSketch> sketch_of(const Enumeration& head) {
  if (!head.sketched) return std::nullopt;
  return ValueSketch(head.objective.direction, head.baseline.value);
}

Enumeration enumeration(const Instance& instance, bool sketched) {
  Enumeration head = head_of(instance, sketched);
  ValuedRange range =
      valued_range(instance, {.first = 0, .count = head.configurations},
                   {.threads = 1, .beside = "unused", .progress = {}}, {}, sketch_of(head));
  ValuedSpace all{.failures = range.failures,
                  .best = range.best,
                  .best_configs = named_settings(instance.scenario().space, range.best.numbers),
                  .values = std::move(range.values)};
  return enumerated(std::move(head), std::move(all), 40, 1);
}

std::vector<EnumerationShard> sketched_shards(const Instance& instance, std::int64_t of) {
  std::vector<EnumerationShard> shards;
  for (std::int64_t index = 1; index <= of; ++index) {
    EnumerationShard shard;
    shard.head = head_of(instance, true);
    shard.k_max = 40;
    shard.index = index;
    shard.of = of;
    ValuedRange range =
        valued_range(instance, range_of_shard(shard.head.configurations, index, of),
                     {.threads = 1, .beside = "unused", .progress = {}}, {}, sketch_of(shard.head));
    shard.failures = range.failures;
    shard.best = range.best;
    shard.best_configs = named_settings(instance.scenario().space, range.best.numbers);
    MergedRuns(std::move(range.values)).read(shard.runs, std::numeric_limits<std::size_t>::max());
    shards.push_back(std::move(shard));
  }
  return shards;
}

/// One whose values are to be large, one whose values are to be small.
std::vector<Instance> problems() {
  scenarios::Scenario scenario = scenarios::read_scenario("tiny-llama");
  std::vector<Instance> list;
  list.emplace_back(scenario, 1);
  scenario.objective = {.metric = scenarios::Metric::step_time_s,
                        .percentile = 90.0,
                        .direction = Direction::minimize};
  list.emplace_back(scenario, 0);
  return list;
}

TEST(SketchedEnumeration, IsWorseThanTheExactOneByLessThanItsError) {
  std::vector<Direction> seen;
  for (const Instance& instance : problems()) {
    SCOPED_TRACE(instance.scenario().name);
    const Direction direction = instance.scenario().objective.direction;
    seen.push_back(direction);
    const Enumeration exact = enumeration(instance, false);
    const Enumeration sketched = enumeration(instance, true);
    EXPECT_EQ(sketched.optimum, exact.optimum);
    EXPECT_EQ(sketched.failures, exact.failures);
    EXPECT_EQ(sketched.baseline, exact.baseline);
    ASSERT_EQ(sketched.quantiles.size(), quantile_count);
    int rounded = 0;
    for (std::size_t i = 0; i < quantile_count; ++i) {
      const double worse = worse_by(exact.quantiles[i], sketched.quantiles[i], direction);
      ASSERT_GE(worse, 0.0) << i;
      ASSERT_LT(worse, error) << i;
      rounded += worse > 0.0 ? 1 : 0;
    }
    EXPECT_GT(rounded, 1000);
    for (std::size_t k = 0; k < exact.best_of_k.size(); ++k) {
      for (const auto of : {&BestOfK::with_replacement, &BestOfK::without_replacement}) {
        const double worse = worse_by(exact.best_of_k[k].*of, sketched.best_of_k[k].*of, direction);
        EXPECT_GT(worse, -1e-12) << k;
        EXPECT_LT(worse, error) << k;
      }
    }
  }
  EXPECT_EQ(seen, (std::vector{Direction::maximize, Direction::minimize}));
}

TEST(SketchedEnumeration, IsTheSameFromShardsInAnyOrder) {
  for (const Instance& instance : problems()) {
    SCOPED_TRACE(instance.scenario().name);
    const std::string whole = enumeration_json(enumeration(instance, true)).dump();
    const std::vector<EnumerationShard> shards = sketched_shards(instance, 4);
    std::vector<std::size_t> order{0, 1, 2, 3};
    int orders = 0;
    do {
      std::vector<EnumerationShard> shuffled;
      std::vector<std::string> paths;
      for (const std::size_t place : order) {
        shuffled.push_back(shards[place]);
        paths.push_back(std::to_string(place));
      }
      EXPECT_EQ(enumeration_json(merged(shuffled, paths, 1)).dump(), whole);
      ++orders;
    } while (std::ranges::next_permutation(order).found);
    EXPECT_EQ(orders, 24);
  }
}

TEST(SketchedEnumeration, IsReadBackAndNotMergedWithExactShards) {
  const std::vector<Instance> list = problems();
  const Instance& instance = list.front();
  const Enumeration sketched = enumeration(instance, true);
  EXPECT_EQ(enumeration_of(enumeration_json(sketched), "a.json"), sketched);

  std::vector<EnumerationShard> shards = sketched_shards(instance, 2);
  EXPECT_EQ(enumeration_shard_of(enumeration_shard_json(shards[1]), "b.json").head.sketched, true);
  shards[0].head.sketched = false;
  std::string said;
  try {
    merged(shards, {"a.json", "b.json"}, 1);
  } catch (const support::InputError& problem) {
    said = problem.what();
  }
  EXPECT_EQ(said,
            "b.json: expected a shard of the enumeration of a.json, got one with another "
            "sketch");
}

TEST(Shards, TakeRandomSearchFromTheFirstWhereverItIs) {
  const std::vector<Instance> list = problems();
  const Instance& instance = list.front();
  std::vector<EnumerationShard> shards = sketched_shards(instance, 3);
  shards[0].head = with_random_search(shards[0].head, instance, 5, 1000, 1);
  const RandomSearchCurves curves = shards[0].head.random_search;
  ASSERT_EQ(curves.studies, 1000);
  std::swap(shards[0], shards[2]);
  EXPECT_EQ(merged(shards, {"c", "b", "a"}, 1).random_search, curves);
}

}  // namespace
}  // namespace cubicbench::datasets
