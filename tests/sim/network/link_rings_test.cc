#include "sim/network/link_rings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace cubicbench::sim {
namespace {

/// Each with one cable to each other.
CableMatrix full_mesh(int gpus) {
  CableMatrix matrix{.gpus = gpus, .cables = {}};
  for (int from = 0; from < gpus; ++from) {
    for (int to = 0; to < gpus; ++to) {
      matrix.cables.push_back(from == to ? std::uint8_t{0} : std::uint8_t{1});
    }
  }
  return matrix;
}

/// Whether each ring visits every GPU and no cable is used by two.
bool are_disjoint(const LinkRings& rings, CableMatrix matrix) {
  for (const std::vector<int>& ring : rings) {
    for (int gpu = 0; gpu < matrix.gpus; ++gpu) {
      if (std::find(ring.begin(), ring.end(), gpu) == ring.end()) return false;
    }
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const int cell = ring[i] * matrix.gpus + ring[(i + 1) % ring.size()];
      auto& cables = matrix.cables[static_cast<std::size_t>(cell)];
      if (cables == 0) return false;
      --cables;
    }
  }
  return true;
}

TEST(LinkRings, OfTheCubeMesh) {
  // 1, 4 and 6 at n = 2, 4, 8 are what bus bandwidths of 22.4 GB/s a ring were measured as.
  // n = 3: GPU 0 has a cable to each of two. n = 5: GPU 4 hangs on GPU 0 alone, by two cables, so
  // rings pass through GPU 0 twice. n = 6: 4 and 5 hang together by one cable each way.
  // n = 7: GPU 6 has 1 + 1 + 2 cables.
  const std::vector<std::size_t> expected{0, 1, 2, 4, 2, 2, 4, 6};
  for (int gpus = 1; gpus <= 8; ++gpus) {
    const CableMatrix matrix = cube_mesh_part(gpus);
    const LinkRings rings = link_rings(matrix);
    EXPECT_EQ(rings.size(), expected[static_cast<std::size_t>(gpus) - 1]) << gpus;
    EXPECT_TRUE(are_disjoint(rings, matrix)) << gpus;
    EXPECT_EQ(cube_mesh_rings(gpus), static_cast<int>(rings.size()));
  }
}

TEST(LinkRings, EveryRingOfFivePassesGpuZeroTwice) {
  for (const std::vector<int>& ring : link_rings(cube_mesh_part(5))) {
    EXPECT_EQ(ring.size(), 6U);
    EXPECT_EQ(std::count(ring.begin(), ring.end(), 0), 2);
  }
}

TEST(LinkRings, AFullMeshDividesIntoRingsButForFourAndSix) {
  // Tillson: the complete digraph of n vertices divides into n - 1 Hamiltonian circuits unless n is
  // 4 or 6 (J. Combin. Theory B 29, 1980).
  for (const int gpus : {3, 4, 5, 7, 8}) {
    const LinkRings rings = link_rings(full_mesh(gpus));
    EXPECT_EQ(rings.size(), static_cast<std::size_t>(gpus == 4 ? 2 : gpus - 1)) << gpus;
    EXPECT_TRUE(are_disjoint(rings, full_mesh(gpus)));
  }
}

TEST(LinkRings, AGpuWithoutCablesHasNone) {
  EXPECT_TRUE(link_rings({.gpus = 3, .cables = {0, 1, 0, 1, 0, 0, 0, 0, 0}}).empty());
}

}  // namespace
}  // namespace cubicbench::sim
