#pragma once

#include "sim/base/units.h"
#include "sim/hardware/device.h"

namespace cubicbench::sim {

/// C[m x n] += A[m x k] B[k x n].
struct GemmShape {
  double m = 0.0;
  double n = 0.0;
  double k = 0.0;
  double batch = 1.0;  ///< products of this shape in one kernel
};

/// Time of one matrix multiplication.
///
///   t = t0 + (c^4 + w^4)^(1/4)                                       [docs/models.md, Eq. K-1]
///   c = 2 b m n k / (e P) * (1 + w1 (ceil(waves) / waves - 1)) * (1 + k0 / k) * misalignment
///   w = bytes of A, B and C, b times / streaming rate
///
/// for b products in one kernel (a grouped product), whose tiles share the waves.
/// A and B travel as they are quantised, C in 16 bits. Of a quantised format e is the 16-bit share
/// times the device's gemm_share of it. `factor` scales e: what a whole training step reaches of
/// the isolated kernel's rate. Waves are 128 x 128 tiles over the SM count. Source: fit to the
/// published GEMM points, median error 2 to 3 % on A100 and H100. Left out: split-k and the choice
/// of tile.
Seconds gemm_time(const Device& device, Dtype dtype, const GemmShape& shape, double factor);

/// 1 when n and k are multiples of 8 elements (16 bytes in 16 bits, what tensor cores load at
/// once), 3 otherwise: the heads of vTrain's runs without tensor parallelism, 50,257 columns
/// [docs/models.md, Eq. K-2].
double misalignment(double n, double k);

}  // namespace cubicbench::sim
