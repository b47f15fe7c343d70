#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace cubicbench::search {

/// A symmetric matrix as the sum over i of values[i] x v_i v_i^T, where v_i is row i of `vectors`:
/// orthonormal eigenvectors, in no order.
struct EigenSystem {
  std::vector<double> values;
  std::vector<double> vectors;  ///< [n x n]
};

/// The eigensystem of a symmetric matrix [n x n], by Jacobi's cyclic method
/// [GolubVanLoan13, section 8.5.3]: rotations annul one entry after the other until all that are
/// not on the diagonal are below 1e-15 of it. Sums are in one order and products not fused, so
/// bytes are equal on every machine. O(n^3) a sweep, of which ten are plenty.
EigenSystem eigen_symmetric(std::span<const double> matrix, std::size_t n);

}  // namespace cubicbench::search
