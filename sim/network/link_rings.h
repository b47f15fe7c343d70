#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace cubicbench::sim {

constexpr int cube_mesh_gpus = 8;

/// NVLink cables between two GPUs of the hybrid cube mesh of eight V100: six a GPU, one or two to
/// each of four neighbours. Source: the matrix that `nvidia-smi topo -m` prints on a DGX-1V
/// (NV1 and NV2), as NCCL dumps it (github.com/NVIDIA/nccl/issues/671);
/// the same wiring as in AWS p3.16xlarge.
constexpr std::array<std::array<std::uint8_t, cube_mesh_gpus>, cube_mesh_gpus> cube_mesh_cables{{
    {0, 1, 1, 2, 2, 0, 0, 0},
    {1, 0, 2, 1, 0, 2, 0, 0},
    {1, 2, 0, 2, 0, 0, 1, 0},
    {2, 1, 2, 0, 0, 0, 0, 1},
    {2, 0, 0, 0, 0, 1, 1, 2},
    {0, 2, 0, 0, 1, 0, 2, 1},
    {0, 0, 1, 0, 1, 2, 0, 2},
    {0, 0, 0, 1, 2, 1, 2, 0},
}};

/// Cables between every two of `gpus` GPUs: cables[a * gpus + b] lead from a to b.
struct CableMatrix {
  int gpus = 0;
  std::vector<std::uint8_t> cables;
};

/// The first `gpus` GPUs of the cube mesh, 1 to 8.
CableMatrix cube_mesh_part(int gpus);

/// Directed rings, each the GPUs in the order in which data passes; from the last it goes back to
/// the first. No two rings use the same cable in the same direction.
using LinkRings = std::vector<std::vector<int>>;

/// Most directed rings through all GPUs of `matrix` that have no cable in common: what a ring
/// collective can use at once. Steps go only along cables. Where there is no such ring at all, a
/// step between GPUs without a cable may pass through a third, which then stands in the ring twice
/// (NCCL's NVB paths); GPU 4 of the cube mesh among GPUs 0 to 4 is such a case.
///
/// Exact, by trying all orders; stops when the GPU with fewest cables has none left. At most 16
/// GPUs, meant for the 8 of a node: under a millisecond but for a full mesh of 6 (20 ms), which has
/// no perfect answer. One GPU has no ring.
LinkRings link_rings(const CableMatrix& matrix);

/// How many rings link_rings() finds for `gpus` GPUs of the cube mesh: 0 for one.
int cube_mesh_rings(int gpus);

}  // namespace cubicbench::sim
