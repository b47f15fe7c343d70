#include "predictor/gaussian_process/cholesky_factor.h"

#include <algorithm>
#include <cmath>

#include "predictor/gaussian_process/wide.h"
#include "predictor/gaussian_process/wide_loops.h"
#include "sim/base/check.h"
#include "sim/base/numeric.h"

namespace cubicbench::predictor {

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
