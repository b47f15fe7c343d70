#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "datasets/jobs/dataset.h"

namespace cubicbench::predictor {

/// Turns a row of cells into a network's input: numbers, standardised by what the training rows
/// showed, and for each category the row of its embedding. Columns that do not vary in training
/// are left out. A value.
class MlpInput {
 public:
  /// A category: its levels seen in training have a vector each; any other has none.
  struct Category {
    std::size_t column = 0;
    std::vector<std::int32_t> vector_of_level;  ///< by level; `unseen` where training had none
    std::size_t vectors = 0;                    ///< levels seen, "nothing known" being one
    std::int32_t vector_of_nothing = unseen;
  };
  static constexpr std::int32_t unseen = -1;

  /// `cells` is [rows x columns], row after row.
  MlpInput(std::span<const datasets::Column> columns, std::span<const double> cells);

  /// Numbers a row becomes: one a column, and one more for columns where some rows have nothing.
  std::size_t numbers() const { return numbers_; }
  const std::vector<Category>& categories() const { return categories_; }

  /// Writes the numbers and the vector of each category (or `unseen`) of a row. Numbers lie in
  /// [-3, 3]: networks extrapolate badly. Nothing known is 0, the mean.
  void write(std::span<const double> row, std::span<float> numbers,
             std::span<std::int32_t> vectors) const;

 private:
  struct Number {
    std::size_t column = 0;
    double mean = 0.0;
    double scale = 1.0;  ///< 1 / standard deviation
    bool may_miss = false;
  };

  void add_number(std::size_t column, std::span<const double> cells);
  void add_category(std::size_t column, std::size_t levels, std::span<const double> cells);

  std::size_t columns_;
  std::size_t numbers_ = 0;
  std::vector<Number> number_columns_;
  std::vector<Category> categories_;
};

}  // namespace cubicbench::predictor
