#pragma once

#include <span>

#include "predictor/gaussian_process/wide.h"

namespace cubicbench::predictor {

// The same sums and products in the same order on every machine, in wider registers where the
// processor has them. All require equal sizes.

/// sum_i a_i b_i: eight sums side by side, then joined.
double dot(std::span<const double> a, std::span<const double> b);

/// sum_i a_i a_i of four vectors at once, each as dot() says it.
void squares(std::span<const Four> a, Four& sums);

/// The largest of `a`, at least 0.
double largest(std::span<const double> a);

/// ratios_i = a_i / b_i.
void divide(std::span<const double> a, std::span<const double> b, std::span<double> ratios);

/// products_i = factors[0]_i factors[1]_i ...: each factor as many numbers as there are products,
/// which may be the first.
void product(std::span<const double* const> factors, std::span<double> products);

}  // namespace cubicbench::predictor
