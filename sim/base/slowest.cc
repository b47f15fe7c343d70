#include "sim/base/slowest.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "sim/base/check.h"
#include "sim/base/numeric.h"

namespace cubicbench::sim {
namespace {

/// 1 - exp(-y) for y >= 0, and -ln(1 - z) for 0 <= z < 1, without cancellation: the rounding error
/// of e = exp(-y) (or of 1 - z) is divided out again, because (e - 1) / ln e hardly changes with e
/// near 1, and both are taken of the same rounded e.
double one_minus_exp(double y) {
  const double e = exp(-y);
  if (e == 1.0) return y;
  return e > 0.0 ? (e - 1.0) * (y / log(e)) : 1.0;
}

double minus_log_one_minus(double z) {
  const double rest = 1.0 - z;
  return rest == 1.0 ? z : -log(rest) * (z / (1.0 - rest));
}

/// Sum of 1/k for k <= n, smallest terms first.
double harmonic(std::int64_t n) {
  double sum = 0.0;
  for (std::int64_t k = n; k >= 1; --k) sum += 1.0 / static_cast<double>(k);
  return sum;
}

// Of 1, 2, 4, ... 1,024 [docs/models.md, Eq. E-4].
constexpr std::array<double, 11> largest_of_normals{0.0,   0.564, 1.029, 1.424, 1.766, 2.070,
                                                    2.344, 2.595, 2.827, 3.044, 3.248};
constexpr std::size_t last = largest_of_normals.size() - 1;

}  // namespace

double slowest_quantile(double mean, std::int64_t n, double p) {
  SIM_ASSERT(n >= 1, n);
  SIM_ASSERT(mean >= 0.0, mean);
  SIM_ASSERT(p >= 0.0 && p < 1.0, p);
  if (p == 0.0 || mean == 0.0) return 0.0;
  const double y = -log(p) / static_cast<double>(n);  // p^(1/n) = exp(-y)
  const double root = exp(-y);
  // -ln(1 - root): of a small root directly, else of its complement, which is exact to an ulp.
  return mean * (root < 0.5 ? minus_log_one_minus(root) : -log(one_minus_exp(y)));
}

double slowest_mean(double mean, std::int64_t n) { return mean * harmonic(n); }

double latest_of(std::int64_t n) {
  SIM_ASSERT(n >= 1, n);
  const auto number = static_cast<std::uint64_t>(n);
  if (std::has_single_bit(number) && number >> last == 0) {  // so are most groups of ranks
    return largest_of_normals[static_cast<std::size_t>(std::countr_zero(number))];
  }
  const double doublings = log2(static_cast<double>(n));
  const std::size_t below = std::min(static_cast<std::size_t>(doublings), last - 1);
  const double step = largest_of_normals[below + 1] - largest_of_normals[below];
  return largest_of_normals[below] + (doublings - static_cast<double>(below)) * step;
}

}  // namespace cubicbench::sim
