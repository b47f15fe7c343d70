#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "datasets/exhaustive/best_of_k_quantiles.h"
#include "datasets/exhaustive/best_of_k_sums.h"
#include "datasets/exhaustive/distribution.h"
#include "datasets/exhaustive/run_code.h"
#include "datasets/exhaustive/run_pile.h"
#include "sim/base/philox.h"
#include "support/input_error.h"
#include "tests/temporary_folder.h"

namespace cubicbench::datasets {
namespace {

using scenarios::Direction;

/// One of `distinct` values >= 0, by the number of a draw.
double drawn(std::uint64_t draw, std::uint64_t distinct) {
  const std::uint64_t i = sim::uniform_below(
      {.seed = 5, .purpose = sim::Purpose::space_sample, .entity = draw, .draw = 0}, distinct);
  return 1e3 * std::sqrt(static_cast<double>(i)) / 7.0;
}

std::vector<ValueRun> all_of(MergedRuns merged, std::size_t at_once) {
  std::vector<ValueRun> all;
  std::vector<ValueRun> some;
  for (merged.read(some, at_once); !some.empty(); merged.read(some, at_once)) {
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

TEST(ValueRun, BitsAscendWithTheValue) {
  const std::vector<double> ascending{-1e300, -2.0, -1.0, 0.0, 5e-324, 1.0, 1.0000000000000002,
                                      1e300};
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    EXPECT_EQ(value_of_bits(ordered_bits(ascending[i])), ascending[i]);
    if (i == 0) continue;
    EXPECT_LT(ordered_bits(ascending[i - 1]), ordered_bits(ascending[i]));
  }
}

TEST(RunPile, KeepsEveryValueWhetherItSpillsOrNot) {
  struct Case {
    std::uint64_t values;
    std::uint64_t distinct;
    std::size_t runs_max;
  };
  // The second spills again and again, the third never has many runs.
  for (const Case& c : {Case{1000, 100, 1000}, Case{1'500'000, 1'000'000'000, 300'000},
                        Case{1'200'000, 500, 1000}, Case{0, 1, 10}}) {
    SCOPED_TRACE(c.values);
    const TemporaryFolder folder;
    RunSpill spill(folder / "values");
    RunPile pile(c.runs_max, spill);
    std::vector<double> expected;
    for (std::uint64_t i = 0; i < c.values; ++i) {
      expected.push_back(drawn(i, c.distinct));
      pile.add(expected.back());
    }
    std::ranges::sort(expected);
    std::vector<double> found;
    double last = -1.0;
    for (const ValueRun& run : all_of(MergedRuns(pile.take()), 1000)) {
      EXPECT_LT(last, run.value);
      last = run.value;
      found.insert(found.end(), run.count, run.value);
    }
    EXPECT_TRUE(found == expected);
  }
}

TEST(RunCode, ReadsWhatItWroteAndRefusesTheRest) {
  const std::vector<ValueRun> runs{
      {0.0, 1}, {0.5, 1'000'000'000'000}, {1e300, 127}, {1.7e308, 128}};
  RunEncoder encoder;
  std::string bytes;
  for (const ValueRun& run : runs) encoder.add(run, bytes);
  RunDecoder decoder;
  std::string_view rest = bytes;
  for (const ValueRun& run : runs) EXPECT_EQ(decoder.next(rest), run);
  EXPECT_TRUE(rest.empty());
  EXPECT_FALSE(decoder.next(rest).has_value());
  EXPECT_FALSE(decoder.broken());

  RunDecoder cut_off;
  rest = std::string_view(bytes).substr(0, 3);
  EXPECT_FALSE(cut_off.next(rest).has_value());
  EXPECT_FALSE(cut_off.broken());

  for (const std::string& broken :
       {std::string(12, '\xff'), std::string("\x00\x01", 2), std::string("\x01\x00", 2)}) {
    RunDecoder reader;
    rest = broken;
    EXPECT_FALSE(reader.next(rest).has_value());
    EXPECT_TRUE(reader.broken());
  }
}

/// The definition, in long double: of sorted values from the worst to the best, failures among
/// them.
std::vector<BestOfK> by_definition(const std::vector<double>& worst_to_best, std::int64_t k_max) {
  const auto n = static_cast<std::int64_t>(worst_to_best.size());
  std::vector<BestOfK> list;
  for (std::int64_t k = 1; k <= k_max; ++k) {
    long double with = 0.0L;
    long double without = 0.0L;
    long double weight = static_cast<long double>(k) / static_cast<long double>(n);
    for (std::int64_t i = n; i >= 1; --i) {
      const long double y = worst_to_best[static_cast<std::size_t>(i - 1)];
      const auto share = [&](std::int64_t j) {
        return std::pow(static_cast<long double>(j) / static_cast<long double>(n),
                        static_cast<long double>(k));
      };
      with += y * (share(i) - share(i - 1));
      if (k >= n) {
        without = worst_to_best.back();
      } else if (i >= k) {
        without += weight * y;
        if (i > 1) {
          weight *= static_cast<long double>(i - k) / static_cast<long double>(i - 1);
        }
      }
    }
    list.push_back({.k = k,
                    .with_replacement = static_cast<double>(with),
                    .without_replacement = static_cast<double>(without)});
  }
  return list;
}

TEST(Distribution, EqualsTheDefinitions) {
  struct Case {
    std::uint64_t running;
    std::uint64_t failed;
    std::uint64_t distinct;
    Direction direction;
  };
  constexpr std::int64_t k_max = 60;
  for (const Case& c :
       {Case{1000, 0, 400, Direction::maximize}, Case{1000, 300, 400, Direction::maximize},
        Case{700, 50, 1'000'000, Direction::minimize}, Case{1, 0, 9, Direction::maximize},
        Case{1, 3, 9, Direction::minimize}, Case{40, 2, 3, Direction::minimize},
        Case{30, 70, 5, Direction::maximize}}) {
    SCOPED_TRACE(c.running);
    const bool maximize = c.direction == Direction::maximize;
    const TemporaryFolder folder;
    RunSpill spill(folder / "values");
    RunPile pile(100, spill);
    std::vector<double> values;
    for (std::uint64_t i = 0; i < c.running; ++i) {
      values.push_back(drawn(i, c.distinct));
      pile.add(values.back());
    }
    std::ranges::sort(values);
    const double baseline = values[values.size() / 3];
    const std::uint64_t n = c.running + c.failed;
    const DistributionSummary found = summarised(MergedRuns(pile.take()),
                                                 {.direction = c.direction,
                                                  .configurations = n,
                                                  .failed = c.failed,
                                                  .baseline = baseline,
                                                  .k_max = k_max},
                                                 1);

    ASSERT_EQ(found.quantiles.size(), quantile_count);
    for (std::size_t i = 0; i < quantile_count; ++i) {
      const std::uint64_t rank = (i * c.running + 4095) / 4096;
      EXPECT_EQ(found.quantiles[i], values[std::max<std::uint64_t>(rank, 1) - 1]) << i;
    }
    EXPECT_EQ(found.better, static_cast<std::uint64_t>(std::ranges::count_if(values, [&](double v) {
                return maximize ? v > baseline : v < baseline;
              })));
    std::vector<double> filled = values;
    if (!maximize) std::ranges::reverse(filled);
    filled.insert(filled.begin(), c.failed, maximize ? 0.0 : values.back());
    const std::vector<BestOfK> expected = by_definition(filled, k_max);
    ASSERT_EQ(found.best_of_k.size(), expected.size());
    for (std::uint64_t k = 1; k <= expected.size(); ++k) {
      const auto quantile = [&](double share, Replacement replacement) {
        return filled[best_rank(n, k, share, replacement) - 1];
      };
      const auto all = [&](Replacement replacement) {
        return BestQuantiles{.p05 = quantile(0.05, replacement),
                             .p25 = quantile(0.25, replacement),
                             .p75 = quantile(0.75, replacement),
                             .p95 = quantile(0.95, replacement)};
      };
      EXPECT_TRUE(found.best_of_k[k - 1].with_quantiles == all(Replacement::with)) << k;
      EXPECT_TRUE(found.best_of_k[k - 1].without_quantiles == all(Replacement::without)) << k;
    }
    for (std::size_t k = 0; k < expected.size(); ++k) {
      EXPECT_EQ(found.best_of_k[k].k, expected[k].k);
      EXPECT_NEAR(found.best_of_k[k].with_replacement, expected[k].with_replacement,
                  1e-13 * std::abs(expected[k].with_replacement));
      EXPECT_NEAR(found.best_of_k[k].without_replacement, expected[k].without_replacement,
                  1e-13 * std::abs(expected[k].without_replacement));
    }
  }
}

TEST(Distribution, IsTheSameOnAnyNumberOfThreads) {
  const auto summary = [&](int threads) {
    std::vector<ValueRun> runs;
    for (std::uint64_t i = 1; i <= 400'000; ++i) runs.push_back({std::sqrt(double(i)), 1 + i % 3});
    std::vector<RunSource> sources;
    sources.emplace_back(std::move(runs));
    return summarised(MergedRuns(std::move(sources)),
                      {.direction = Direction::maximize,
                       .configurations = 900'000,
                       .failed = 100'000,
                       .baseline = {},
                       .k_max = 300},
                      threads);
  };
  const DistributionSummary one = summary(1);
  const DistributionSummary four = summary(4);
  EXPECT_EQ(one.quantiles, four.quantiles);
  EXPECT_TRUE(one.best_of_k == four.best_of_k);
  EXPECT_EQ(one.better, 800'000U);
}

TEST(Distribution, StaysSoundForABillionConfigurations) {
  // Values 1 .. 1000, a million configurations each; with y / 1000 = F the best of k of a
  // continuous uniform is k / (k + 1), and the steps add half of one.
  std::vector<ValueRun> runs;
  for (int i = 1; i <= 1000; ++i) runs.push_back({static_cast<double>(i), 1'000'000});
  std::vector<RunSource> sources;
  sources.emplace_back(std::move(runs));
  const DistributionSummary found = summarised(MergedRuns(std::move(sources)),
                                               {.direction = Direction::maximize,
                                                .configurations = 1'000'000'000,
                                                .failed = 0,
                                                .baseline = {},
                                                .k_max = 10'000},
                                               1);
  EXPECT_NEAR(found.best_of_k[0].with_replacement, 500.5, 1e-10);
  EXPECT_NEAR(found.best_of_k[0].without_replacement, 500.5, 1e-10);
  // E(2) = sum of 1 - F(y)^2 over y = 0 .. 999 = 1000 - sum (y / 1000)^2.
  EXPECT_NEAR(found.best_of_k[1].with_replacement, 1000.0 - 332.8335, 1e-9);
  for (std::size_t k = 1; k < 10'000; ++k) {
    EXPECT_GE(found.best_of_k[k].with_replacement, found.best_of_k[k - 1].with_replacement);
    EXPECT_GE(found.best_of_k[k].without_replacement + 1e-9, found.best_of_k[k].with_replacement);
    EXPECT_LE(found.best_of_k[k].without_replacement, 1000.0);
  }
}

TEST(Distribution, RefusesValuesOfOthers) {
  std::vector<RunSource> sources;
  sources.emplace_back(std::vector<ValueRun>{{1.0, 5}});
  EXPECT_THROW(summarised(MergedRuns(std::move(sources)),
                          {.direction = Direction::maximize,
                           .configurations = 7,
                           .failed = 1,
                           .baseline = {},
                           .k_max = 3},
                          1),
               support::InputError);
}

}  // namespace
}  // namespace cubicbench::datasets
