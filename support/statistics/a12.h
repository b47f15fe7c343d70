#pragma once

#include <span>

namespace cubicbench::support {

/// Vargha and Delaney's measure of stochastic superiority [VarghaDelaney00]:
///
///   A12 = P(a > b) + P(a = b) / 2 = U / (m n),     U = sum of the ranks of `a` - m (m + 1) / 2
///
/// over all pairs of a value of `a` and one of `b`, from the mid-ranks of both together, in
/// O(n log n). 0.5 means that neither tends to be larger. Requires a value on each side, no NaN.
double a12(std::span<const double> a, std::span<const double> b);

}  // namespace cubicbench::support
