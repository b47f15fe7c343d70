#include "predictor/gaussian_process/product_kernel.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "sim/base/numeric.h"

namespace cubicbench::predictor {
namespace {

TEST(KnobAxis, HasLabelsOneApartAndPlacesAsFarAsTheyAre) {
  const KnobAxis labels{.places = {0.0, 0.0, 0.0}, .labels = true};
  EXPECT_EQ(labels.distance(0, 2), 1.0);
  EXPECT_EQ(labels.distance(1, 1), 0.0);
  const KnobAxis numbers{.places = {0.0, 0.5, 1.5}};
  EXPECT_EQ(numbers.distance(0, 2), 1.5);
  EXPECT_EQ(numbers.distance(2, 1), 1.0);
}

TEST(ProductKernel, IsTheExponentialOfTheSumOfDistances) {
  const std::vector<KnobAxis> axes{{.places = {0.0, 0.5, 1.5}},
                                   {.places = {0.0, 0.0}, .labels = true}};
  const std::array<double, 2> rates{2.0, 0.25};
  const ProductKernel kernel(axes, rates);
  const Levels here{0, 0};
  EXPECT_EQ(kernel.between(here, here), 1.0);
  EXPECT_NEAR(kernel.between(here, Levels{2, 0}), sim::exp(-3.0), 1e-15);
  EXPECT_NEAR(kernel.between(here, Levels{2, 1}), sim::exp(-3.25), 1e-15);
  EXPECT_NEAR(kernel.between(Levels{1, 1}, Levels{2, 1}), sim::exp(-2.0), 1e-15);
  EXPECT_EQ(kernel.between(Levels{1, 1}, Levels{2, 0}), kernel.between(Levels{2, 0}, Levels{1, 1}));
}

TEST(ProductKernel, KnowsNothingOfAKnobWithoutARate) {
  const std::vector<KnobAxis> axes{{.places = {0.0, 9.0}}};
  const std::array<double, 1> rates{0.0};
  EXPECT_EQ(ProductKernel(axes, rates).between(Levels{0}, Levels{1}), 1.0);
}

}  // namespace
}  // namespace cubicbench::predictor
