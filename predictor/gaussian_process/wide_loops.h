#pragma once

#include <span>

namespace cubicbench::predictor {

// The same sums and products in the same order on every machine, in wider registers where the
// processor has them. All require equal sizes.

/// sum_i a_i b_i: eight sums side by side, then joined.
double dot(std::span<const double> a, std::span<const double> b);

/// The largest of `a`, at least 0.
double largest(std::span<const double> a);

/// a_i *= b_i.
void multiply(std::span<double> a, std::span<const double> b);

/// a_i *= b_i / c_i.
void multiply_by_ratio(std::span<double> a, std::span<const double> b, std::span<const double> c);

}  // namespace cubicbench::predictor
