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
  solve_lower(std::span(rows_).last(size_));
  add_diagonal(diagonal);
}

void CholeskyFactor::add_diagonal(double diagonal) {
  const std::span<const double> left = std::span(rows_).last(size_);
  rows_.push_back(std::sqrt(std::max(diagonal - dot(left, left), pivot_min)));
  ++size_;
}

/// The unknowns of the earlier rows are found for all four at once, those of the four themselves
/// one after the other.
void CholeskyFactor::add_four(std::span<const std::vector<double>> rows, double diagonal) {
  for (std::size_t lane = 0; lane < rows.size(); ++lane) {
    SIM_ASSERT(rows[lane].size() == size_ + lane, rows[lane].size(), size_, lane);
  }
  std::vector<Four> earlier(size_);
  for (std::size_t j = 0; j < size_; ++j) {
    earlier[j].lanes = Four::Lanes{rows[0][j], rows[1][j], rows[2][j], rows[3][j]};
  }
  solve_lower(earlier);
  for (std::size_t lane = 0; lane < rows.size(); ++lane) {
    for (const Four& found : earlier) rows_.push_back(found.lanes[lane]);
    rows_.insert(rows_.end(), rows[lane].end() - static_cast<std::ptrdiff_t>(lane),
                 rows[lane].end());
    solve_lower(std::span(rows_).last(size_), earlier.size());
    add_diagonal(diagonal);
  }
}

void CholeskyFactor::add_rows(std::span<const std::vector<double>> rows, double diagonal) {
  constexpr std::size_t at_once = 4;
  for (; rows.size() >= at_once; rows = rows.subspan(at_once)) {
    add_four(rows.first(at_once), diagonal);
  }
  for (const std::vector<double>& row : rows) add(row, diagonal);
}

void CholeskyFactor::truncate(std::size_t size) {
  SIM_ASSERT(size <= size_, size, size_);
  size_ = size;
  rows_.resize(size * (size + 1) / 2);
}

CUBICBENCH_WIDE void CholeskyFactor::solve_lower(std::span<double> b, std::size_t solved) const {
  for (std::size_t i = solved; i < b.size(); ++i) {
    const std::span<const double> left = row(i);
    b[i] = (b[i] - sum_of_products(left.first(i), b.first(i))) / left[i];
  }
}

CUBICBENCH_WIDE void CholeskyFactor::solve_lower(std::span<Four> b) const {
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double* const left = row(i).data();
    Four sum{};
    sums_of_products(left, b.data(), i, sum);
    b[i].lanes = (b[i].lanes - sum.lanes) / left[i];
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
