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

/// One number of each of four vectors. Aligned as the widest registers want it, which compilers
/// know of the bare vector only where they may use them.
struct alignas(4 * sizeof(double)) Four {
  using Lanes = double __attribute__((vector_size(4 * sizeof(double))));
  Lanes lanes;
};

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

// By reference: how vectors are passed depends on the registers that a processor has.
[[gnu::always_inline]] inline void add_product(double a, const Four& b, Four& sum) {
  sum.lanes += a * b.lanes;
}
[[gnu::always_inline]] inline void add_product(const Four& a, const Four& b, Four& sum) {
  sum.lanes += a.lanes * b.lanes;
}

/// The products of `a`, one vector or four, with four: each is what dot() says, to the bit.
template <typename Factor>
[[gnu::always_inline]] inline void sums_of_products(const Factor* a, const Four* b,
                                                    std::size_t size, Four& found) {
  std::array<Four, wide_lanes> sums{};
  const std::size_t whole = size / wide_lanes * wide_lanes;
  for (std::size_t i = 0; i < whole; i += wide_lanes) {
#pragma GCC unroll 8
    for (std::size_t lane = 0; lane < wide_lanes; ++lane) {
      add_product(a[i + lane], b[i + lane], sums[lane]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t lane = 0; lane < wide_lanes; ++lane) {
    if (whole + lane < size) add_product(a[whole + lane], b[whole + lane], sums[lane]);
  }
  found.lanes = ((sums[0].lanes + sums[4].lanes) + (sums[1].lanes + sums[5].lanes)) +
                ((sums[2].lanes + sums[6].lanes) + (sums[3].lanes + sums[7].lanes));
}

}  // namespace cubicbench::predictor
