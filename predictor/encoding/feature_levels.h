#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "predictor/encoding/encoding.h"
#include "predictor/gaussian_process/product_kernel.h"

namespace cubicbench::predictor {

/// Turns features into levels, for learners that look things up by them. Each value that training
/// rows have is a level of its own, or of more than `levels_max - 1` values neighbours share one,
/// as many rows to each. NaN is the last level. A value: threads may share it.
class FeatureLevels {
 public:
  /// Requires a row.
  explicit FeatureLevels(const FeatureMatrix& training);

  std::size_t columns() const { return cuts_.size(); }

  /// Levels of a column, that of NaN included.
  std::size_t levels(std::size_t column) const { return cuts_[column].size() + 2; }

  /// The mean value of the training rows of each level; of NaN that of all, of no row at all 0.
  const std::vector<double>& places(std::size_t column) const { return places_[column]; }

  /// Requires a row of the training columns.
  Levels of(std::span<const double> row) const;

 private:
  std::uint8_t level_of(std::size_t column, double value) const;

  std::vector<std::vector<double>> cuts_;    ///< by column: where the next level begins, ascending
  std::vector<std::vector<double>> places_;  ///< by column and level
};

}  // namespace cubicbench::predictor
