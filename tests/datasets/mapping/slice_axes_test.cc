#include "datasets/mapping/slice_axes.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <utility>

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

TEST(SliceAxes, AreNearestToACubeWhereNothingNamesThem) {
  constexpr Axes cube{4, 4, 4};
  constexpr Axes flat{16, 16, 0};
  EXPECT_EQ(usual_slice(64, cube), cube);
  EXPECT_EQ(usual_slice(256, cube), (Axes{4, 8, 8}));
  EXPECT_EQ(usual_slice(3072, cube), (Axes{12, 16, 16}));
  EXPECT_EQ(usual_slice(1, cube), (Axes{1, 1, 1}));
  EXPECT_EQ(usual_slice(256, flat), flat);
  EXPECT_EQ(usual_slice(8, flat), (Axes{2, 4, 0}));
  EXPECT_EQ(product_of(Axes{2, 4, 0}), 8);
}

TEST(SliceAxes, EndsAreJoinedWhereCubesAre) {
  for (const auto& [axes, wraps] :
       {std::pair{Axes{2, 2, 1}, false}, std::pair{Axes{4, 4, 4}, true},
        std::pair{Axes{4, 4, 1}, true}, std::pair{Axes{4, 4, 2}, false}}) {
    sim::Network network;
    network.domain = sim::DomainKind::torus;
    network.torus = {16, 16, 16};
    cut_to_slice(axes, network);
    EXPECT_EQ(network.torus, axes);
    EXPECT_EQ(network.torus_wraps, wraps) << axes[0] << " " << axes[2];
  }
}

TEST(SliceAxes, EndsOfAFlatPodAreJoinedAtItsEdges) {
  for (const auto& [axes, wraps] :
       {std::pair{Axes{16, 16, 0}, true}, std::pair{Axes{4, 4, 0}, false},
        std::pair{Axes{8, 16, 0}, false}, std::pair{Axes{1, 16, 0}, true}}) {
    sim::Network network;
    network.torus = {16, 16, 0};
    cut_to_slice(axes, network);
    EXPECT_EQ(network.torus_wraps, wraps) << axes[0];
  }
}

}  // namespace
}  // namespace cubicbench::datasets
