#include <gtest/gtest.h>

#include <utility>

#include "datasets/mapping/measured_systems.h"

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
