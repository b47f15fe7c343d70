#pragma once

#include <span>

namespace cubicbench::support {

/// Vargha and Delaney's measure of stochastic superiority [VarghaDelaney00]:
///
///   A12 = P(a > b) + P(a = b) / 2 = U / (m n)
///
/// over all pairs of a value of `a` and one of `b`; U is mann_whitney_u(). 0.5 means that neither
/// tends to be larger. Requires a value on each side.
double a12(std::span<const double> a, std::span<const double> b);

}  // namespace cubicbench::support
