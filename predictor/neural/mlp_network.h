#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "predictor/neural/mlp_input.h"

namespace cubicbench::predictor {

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
