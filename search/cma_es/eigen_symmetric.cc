#include "search/cma_es/eigen_symmetric.h"

#include <cmath>

#include "sim/base/check.h"

namespace cubicbench::search {
namespace {

constexpr int sweeps_max = 50;
constexpr double negligible = 1e-15;

/// Cosine and sine of an angle.
struct Rotation {
  double c = 1.0;
  double s = 0.0;
};

/// The smaller of the two that annul entry pq of the matrix with these entries.
Rotation annulling(double pp, double pq, double qq) {
  const double theta = (qq - pp) / (2.0 * pq);
  const double size = std::abs(theta) + std::sqrt(theta * theta + 1.0);
  const double t = (theta < 0.0 ? -1.0 : 1.0) / size;
  const double c = 1.0 / std::sqrt(t * t + 1.0);
  return {.c = c, .s = t * c};
}

/// Rows p and q of a matrix with n columns, turned.
void turn_rows(std::span<double> matrix, std::size_t n, std::size_t p, std::size_t q, Rotation by) {
  double* const first = &matrix[p * n];
  double* const second = &matrix[q * n];
  for (std::size_t k = 0; k < n; ++k) {
    const double a = first[k];
    const double b = second[k];
    first[k] = by.c * a - by.s * b;
    second[k] = by.s * a + by.c * b;
  }
}

void turn_columns(std::span<double> matrix, std::size_t n, std::size_t p, std::size_t q,
                  Rotation by) {
  for (std::size_t k = 0; k < n; ++k) {
    const double a = matrix[k * n + p];
    const double b = matrix[k * n + q];
    matrix[k * n + p] = by.c * a - by.s * b;
    matrix[k * n + q] = by.s * a + by.c * b;
  }
}

}  // namespace

EigenSystem eigen_symmetric(std::span<const double> matrix, std::size_t n) {
  SIM_ASSERT(matrix.size() == n * n, matrix.size(), n);
  std::vector<double> left(matrix.begin(), matrix.end());
  std::vector<double> vectors(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i) vectors[i * n + i] = 1.0;
  bool turned = true;
  for (int sweep = 0; turned && sweep < sweeps_max; ++sweep) {
    turned = false;
    for (std::size_t p = 0; p + 1 < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        const double pp = left[p * n + p];
        const double pq = left[p * n + q];
        const double qq = left[q * n + q];
        if (std::abs(pq) <= negligible * std::sqrt(std::abs(pp) * std::abs(qq))) continue;
        const Rotation by = annulling(pp, pq, qq);
        turn_rows(left, n, p, q, by);
        turn_columns(left, n, p, q, by);
        turn_rows(vectors, n, p, q, by);
        turned = true;
      }
    }
  }
  EigenSystem system{.values = std::vector<double>(n), .vectors = std::move(vectors)};
  for (std::size_t i = 0; i < n; ++i) system.values[i] = left[i * n + i];
  return system;
}

}  // namespace cubicbench::search
