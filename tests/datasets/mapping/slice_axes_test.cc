#include "datasets/mapping/slice_axes.h"

#include <gtest/gtest.h>

namespace cubicbench::datasets {
namespace {

using Axes = std::array<int, 3>;

TEST(SliceAxes, AreReadFromTexts) {
  EXPECT_EQ(slice_axes("TPU v7x slice 2x2x1"), (Axes{2, 2, 1}));
  EXPECT_EQ(slice_axes("TPU v7x slice 2x2x2"), (Axes{2, 2, 2}));
  EXPECT_EQ(slice_axes("ICI 16x16 torus"), (Axes{16, 16, 0}));
  EXPECT_EQ(slice_axes("TPU v6e-256 slice"), std::nullopt);
  EXPECT_EQ(slice_axes("DCN"), std::nullopt);
  EXPECT_EQ(slice_axes("4x chips"), std::nullopt);
}

TEST(SliceAxes, EndsAreJoinedWhereCubesAre) {
  sim::Network network;
  network.domain = sim::DomainKind::torus;
  cut_to_slice({2, 2, 1}, network);
  EXPECT_EQ(network.torus, (Axes{2, 2, 1}));
  EXPECT_FALSE(network.torus_wraps);
  cut_to_slice({16, 16, 0}, network);
  EXPECT_TRUE(network.torus_wraps);
  cut_to_slice({4, 4, 4}, network);
  EXPECT_TRUE(network.torus_wraps);
  cut_to_slice({4, 4, 2}, network);
  EXPECT_FALSE(network.torus_wraps);
}

}  // namespace
}  // namespace cubicbench::datasets
