#pragma once

#include <array>
#include <cstddef>
#include <span>

/// A function that is compiled twice, and which the processor's kind chooses between before the
/// program begins: sanitizers do not bear that, and Clang wants it said in headers.
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CUBICBENCH_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define CUBICBENCH_WIDE
#endif

namespace cubicbench::predictor {

inline constexpr std::size_t wide_lanes = 8;

/// See dot(); for functions that are CUBICBENCH_WIDE themselves.
[[gnu::always_inline]] inline double sum_of_products(std::span<const double> a,
                                                     std::span<const double> b) {
  std::array<double, wide_lanes> sums{};
  const double* const x = a.data();
  const double* const y = b.data();
  const std::size_t whole = a.size() / wide_lanes * wide_lanes;
  for (std::size_t i = 0; i < whole; i += wide_lanes) {
    for (std::size_t lane = 0; lane < wide_lanes; ++lane) {
      sums[lane] += x[i + lane] * y[i + lane];
    }
  }
  for (std::size_t i = whole; i < a.size(); ++i) sums[i - whole] += x[i] * y[i];
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

}  // namespace cubicbench::predictor
