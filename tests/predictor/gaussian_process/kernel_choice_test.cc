#include "predictor/gaussian_process/kernel_choice.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/base/philox.h"

namespace cubicbench::predictor {
namespace {

struct Sample {
  std::vector<KnobAxis> axes;
  std::vector<Levels> rows;
  std::vector<double> targets;
};

/// Four knobs of four values; only the first says anything, or with `noise` none does.
Sample drawn(std::size_t count, bool noise) {
  Sample sample;
  sample.axes.assign(4, {.places = {0.0, 0.5, 1.0, 1.5}});
  for (std::size_t i = 0; i < count; ++i) {
    Levels row(4);
    for (std::uint32_t knob = 0; knob < 4; ++knob) {
      row[knob] =
          static_cast<std::uint8_t>(sim::uniform_below({.seed = 5, .entity = i, .draw = knob}, 4));
    }
    sample.targets.push_back(noise ? sim::standard_normal({.seed = 6, .entity = i})
                                   : static_cast<double>(row[0]));
    sample.rows.push_back(std::move(row));
  }
  return sample;
}

TEST(ChooseKernel, TakesTheHighestLikelihoodOfTheGrid) {
  const Sample sample = drawn(30, false);
  const KernelSearch search{.sweeps = 0};
  const KernelChoice found = choose_kernel(sample.axes, sample.rows, sample.targets, search);
  const double highest =
      process_of(sample.axes, sample.rows, sample.targets, found).log_likelihood();
  for (const double length : search.lengths) {
    for (const double noise : search.noises) {
      const KernelChoice other{.rates = std::vector<double>(4, 1.0 / length), .noise = noise};
      EXPECT_GE(highest,
                process_of(sample.axes, sample.rows, sample.targets, other).log_likelihood());
    }
  }
}

TEST(ChooseKernel, FindsTheKnobThatSaysSomething) {
  const Sample sample = drawn(40, false);
  const KernelChoice found = choose_kernel(sample.axes, sample.rows, sample.targets, {.sweeps = 2});
  for (std::size_t knob = 1; knob < 4; ++knob) EXPECT_GT(found.rates[0], 2.0 * found.rates[knob]);
}

TEST(ChooseKernel, FindsNoise) {
  const Sample sample = drawn(60, true);
  const KernelChoice found = choose_kernel(sample.axes, sample.rows, sample.targets, {.sweeps = 0});
  EXPECT_EQ(found.noise, 0.05);  // the most that there is
}

}  // namespace
}  // namespace cubicbench::predictor
