#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "predictor/gaussian_process/wide.h"

namespace cubicbench::predictor {

/// The lower triangle L with L L^T = A of a symmetric positive definite matrix A, which grows by a
/// row at a time. A factor with n rows takes n^2 / 2 products to add one, n^3 / 6 in all.
class CholeskyFactor {
 public:
  std::size_t size() const { return size_; }

  /// `row` is the new row of A left of its diagonal, `diagonal` what stands on it. What rounding
  /// leaves of a pivot below `pivot_min` counts as that.
  void add(std::span<const double> row, double diagonal);

  /// Adds `rows` as add() does one after the other, in half the time: each is what stands left of
  /// the diagonal, which is the same for all.
  void add_rows(std::span<const std::vector<double>> rows, double diagonal);

  /// Keeps the first `size` rows.
  void truncate(std::size_t size);

  /// x with L x = b, in place, of which the first `solved` are there already.
  void solve_lower(std::span<double> b, std::size_t solved = 0) const;
  /// The same of four at once, in half the time of each.
  void solve_lower(std::span<Four> b) const;
  /// x with L^T x = b, in place.
  void solve_upper(std::span<double> b) const;

  /// log det A.
  double log_determinant() const;

  static constexpr double pivot_min = 1e-10;

 private:
  void add_four(std::span<const std::vector<double>> rows, double diagonal);
  /// Ends the row whose elements left of the diagonal are there.
  void add_diagonal(double diagonal);

  std::span<const double> row(std::size_t i) const {
    return std::span(rows_).subspan(i * (i + 1) / 2, i + 1);
  }

  std::size_t size_ = 0;
  std::vector<double> rows_;  ///< of the triangle, one after the other
};

}  // namespace cubicbench::predictor
