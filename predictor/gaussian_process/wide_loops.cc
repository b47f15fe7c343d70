#include "predictor/gaussian_process/wide_loops.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "predictor/gaussian_process/wide.h"

namespace cubicbench::predictor {

CUBICBENCH_WIDE double dot(std::span<const double> a, std::span<const double> b) {
  return sum_of_products(a, b);
}

CUBICBENCH_WIDE void squares(std::span<const Four> a, Four& sums) {
  sums_of_products(a.data(), a.data(), a.size(), sums);
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

CUBICBENCH_WIDE void divide(std::span<const double> a, std::span<const double> b,
                            std::span<double> ratios) {
  const double* const x = a.data();
  const double* const y = b.data();
  double* const z = ratios.data();
  for (std::size_t i = 0; i < ratios.size(); ++i) z[i] = x[i] / y[i];
}

CUBICBENCH_WIDE void product(std::span<const double* const> factors, std::span<double> products) {
  constexpr std::size_t block = 2 * wide_lanes;
  const std::size_t whole = products.size() / block * block;
  for (std::size_t begin = 0; begin < whole; begin += block) {
    std::array<double, block> found{};
    for (std::size_t i = 0; i < block; ++i) found[i] = factors[0][begin + i];
    for (const double* const factor : factors.subspan(1)) {
      for (std::size_t i = 0; i < block; ++i) found[i] *= factor[begin + i];
    }
    for (std::size_t i = 0; i < block; ++i) products[begin + i] = found[i];
  }
  for (std::size_t i = whole; i < products.size(); ++i) {
    double found = factors[0][i];
    for (const double* const factor : factors.subspan(1)) found *= factor[i];
    products[i] = found;
  }
}

}  // namespace cubicbench::predictor
