#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
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

/// Sizes of one network, and where its parameters lie in one array: the embeddings of each
/// category, then weights and biases of the three layers. Matrices are column after column.
struct MlpShape {
  std::size_t numbers = 0;
  std::vector<std::size_t> vectors;  ///< by category: how many it has
  std::vector<std::size_t> widths;   ///< by category: entries of a vector
  std::size_t hidden = 1;

  /// Half the number of vectors, rounded up, and no more than four: enough to keep them apart.
  static MlpShape of(const MlpInput& input, std::size_t hidden);

  std::size_t inputs() const;      ///< numbers, then vectors one after the other
  std::size_t embeddings() const;  ///< parameters of all vectors
  std::size_t parameters() const;
  std::size_t first() const { return embeddings(); }  ///< [hidden x inputs]
  std::size_t first_bias() const { return first() + hidden * inputs(); }
  std::size_t second() const { return first_bias() + hidden; }  ///< [hidden x hidden]
  std::size_t second_bias() const { return second() + hidden * hidden; }
  std::size_t last() const { return second_bias() + hidden; }  ///< [hidden]
  std::size_t last_bias() const { return last() + hidden; }
};

/// First weights: normal, of variance 2 over the inputs of a rectifier's layer [He15], 1 over those
/// of the last; embeddings standard normal; biases zero.
std::vector<float> first_weights(const MlpShape& shape, std::uint64_t seed, std::uint64_t member);

/// Rows as a network's input.
struct MlpRows {
  std::size_t rows = 0;
  std::vector<float> numbers;         ///< [rows x numbers], row after row
  std::vector<std::int32_t> vectors;  ///< [rows x categories]; MlpInput::unseen is a zero vector
};

/// Scores rows, and carries a loss's gradient back to the parameters. Keeps the matrices of a batch
/// between calls, so it is not to be shared by threads.
class MlpPass {
 public:
  explicit MlpPass(MlpShape shape);
  ~MlpPass();
  MlpPass(const MlpPass&) = delete;
  MlpPass& operator=(const MlpPass&) = delete;

  /// Writes the score of each of `batch` (positions in `rows`).
  void forward(std::span<const float> parameters, const MlpRows& rows,
               std::span<const std::size_t> batch, std::span<float> scores);

  /// After forward(), with the loss's slope in each score: writes its slope in each parameter.
  void backward(std::span<const float> parameters, const MlpRows& rows,
                std::span<const std::size_t> batch, std::span<const float> slopes,
                std::span<float> gradient);

 private:
  struct Matrices;
  MlpShape shape_;
  std::unique_ptr<Matrices> at_;
};

}  // namespace cubicbench::predictor
