#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "datasets/jobs/dataset.h"
#include "scenarios/space/search_space.h"

namespace cubicbench::datasets {

/// How the configurations of a space become the cells of a table: one column a parameter.
///
/// Booleans, choices and whatever the space calls categorical are categories, each value a level.
/// Other integers and decimals stay numbers; they are their log2 where all values are above zero
/// and the largest is four times the smallest or more. "inactive" is a category's last level where
/// conditions can make the parameter inactive, and a number's NaN.
///
/// A value that does not refer to the space; threads may share it.
class SpaceColumns {
 public:
  explicit SpaceColumns(const scenarios::SearchSpace& space);

  const std::vector<Column>& columns() const { return columns_; }

  /// Writes the cells of a canonical configuration of the space, one a column. Allocates nothing.
  void write(std::span<const std::int64_t> configuration, std::span<double> cells) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::size_t> begins_;  ///< in `cells_`: of a column's value 0; its inactive is before
  std::vector<double> cells_;
};

}  // namespace cubicbench::datasets
