#pragma once

#include <cmath>
#include <cstdint>

namespace cubicbench::sim {

/// Standard deviation of the slowest of n exponential delays, mean sqrt(sum over k <= n of 1/k^2).
inline double slowest_sd(double mean, std::int64_t n) {
  double sum = 0.0;
  for (std::int64_t k = n; k >= 1; --k) {
    const double term = 1.0 / static_cast<double>(k);
    sum += term * term;
  }
  return mean * std::sqrt(sum);
}

}  // namespace cubicbench::sim
