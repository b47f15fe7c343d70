#pragma once

#include <array>
#include <cstdint>

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

}  // namespace cubicbench::sim
