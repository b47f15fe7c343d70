#include "predictor/gaussian_process/cholesky_factor.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/check.h"
#include "sim/base/numeric.h"

// The same sums in the same order, in wider registers where the processor has them. Sanitizers do
// not bear what chooses between them before the program begins, and Clang wants it said in headers.
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CUBICBENCH_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define CUBICBENCH_WIDE
#endif

namespace cubicbench::predictor {
namespace {

[[gnu::always_inline]] inline double sum_of_products(std::span<const double> a,
                                                     std::span<const double> b) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> sums{};
  const double* const x = a.data();
  const double* const y = b.data();
  const std::size_t whole = a.size() / lanes * lanes;
  for (std::size_t i = 0; i < whole; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += x[i + lane] * y[i + lane];
  }
  for (std::size_t i = whole; i < a.size(); ++i) sums[i - whole] += x[i] * y[i];
  return ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]));
}

}  // namespace

CUBICBENCH_WIDE double dot(std::span<const double> a, std::span<const double> b) {
  return sum_of_products(a, b);
}

void CholeskyFactor::add(std::span<const double> row, double diagonal) {
  SIM_ASSERT(row.size() == size_, row.size(), size_);
  rows_.insert(rows_.end(), row.begin(), row.end());
  const std::span<double> added = std::span(rows_).last(size_);
  solve_lower(added);
  rows_.push_back(std::sqrt(std::max(diagonal - dot(added, added), pivot_min)));
  ++size_;
}

void CholeskyFactor::truncate(std::size_t size) {
  SIM_ASSERT(size <= size_, size, size_);
  size_ = size;
  rows_.resize(size * (size + 1) / 2);
}

CUBICBENCH_WIDE void CholeskyFactor::solve_lower(std::span<double> b) const {
  for (std::size_t i = 0; i < b.size(); ++i) {
    const std::span<const double> left = row(i);
    b[i] = (b[i] - sum_of_products(left.first(i), b.first(i))) / left[i];
  }
}

void CholeskyFactor::solve_upper(std::span<double> b) const {
  for (std::size_t i = b.size(); i-- > 0;) {
    const std::span<const double> left = row(i);
    b[i] /= left[i];
    const double found = b[i];
    for (std::size_t j = 0; j < i; ++j) b[j] -= found * left[j];
  }
}

double CholeskyFactor::log_determinant() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < size_; ++i) sum += sim::log(row(i).back());
  return 2.0 * sum;
}

}  // namespace cubicbench::predictor
