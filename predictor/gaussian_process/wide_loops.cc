#include "predictor/gaussian_process/wide_loops.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "predictor/gaussian_process/wide.h"

namespace cubicbench::predictor {

CUBICBENCH_WIDE double dot(std::span<const double> a, std::span<const double> b) {
  return sum_of_products(a, b);
}

CUBICBENCH_WIDE double largest(std::span<const double> a) {
  std::array<double, wide_lanes> found{};
  const double* const x = a.data();
  const std::size_t whole = a.size() / wide_lanes * wide_lanes;
  for (std::size_t i = 0; i < whole; i += wide_lanes) {
    for (std::size_t lane = 0; lane < wide_lanes; ++lane) {
      found[lane] = x[i + lane] > found[lane] ? x[i + lane] : found[lane];
    }
  }
  for (std::size_t i = whole; i < a.size(); ++i) found[0] = std::max(found[0], x[i]);
  return *std::ranges::max_element(found);
}

CUBICBENCH_WIDE void multiply(std::span<double> a, std::span<const double> b) {
  double* const x = a.data();
  const double* const y = b.data();
  for (std::size_t i = 0; i < a.size(); ++i) x[i] *= y[i];
}

CUBICBENCH_WIDE void multiply_by_ratio(std::span<double> a, std::span<const double> b,
                                       std::span<const double> c) {
  double* const x = a.data();
  const double* const y = b.data();
  const double* const z = c.data();
  for (std::size_t i = 0; i < a.size(); ++i) x[i] *= y[i] / z[i];
}

}  // namespace cubicbench::predictor
