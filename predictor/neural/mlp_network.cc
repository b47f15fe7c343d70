#include "predictor/neural/mlp_network.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "predictor/neural/eigen_blocking.h"
#include "sim/base/check.h"
#include "sim/base/philox.h"
#include "support/statistics/mean.h"

namespace cubicbench::predictor {
namespace {

using Weights = Eigen::Map<const Eigen::MatrixXf>;
using Biases = Eigen::Map<const Eigen::VectorXf>;
using Slopes = Eigen::Map<Eigen::MatrixXf>;

constexpr double deviations_max = 3.0;

constexpr std::size_t width_max = 4;

Eigen::Index eigen_size(std::size_t size) { return static_cast<Eigen::Index>(size); }

}  // namespace

MlpInput::MlpInput(std::span<const datasets::Column> columns, std::span<const double> cells)
    : columns_(columns.size()) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].kind == datasets::ColumnKind::number) {
      add_number(i, cells);
    } else {
      add_category(i, columns[i].levels.size(), cells);
    }
  }
}

void MlpInput::add_number(std::size_t column, std::span<const double> cells) {
  std::vector<double> known;
  std::size_t rows = 0;
  for (std::size_t at = column; at < cells.size(); at += columns_) {
    ++rows;
    if (std::isfinite(cells[at])) known.push_back(cells[at]);
  }
  if (known.empty()) return;
  const double mean = support::mean(known);
  const double deviation = std::sqrt(support::variance(known, support::Drawn::all));
  const bool varies = deviation > 1e-9 * std::abs(mean);
  const bool may_miss = known.size() < rows;
  if (!varies && !may_miss) return;
  number_columns_.push_back({.column = column,
                             .mean = mean,
                             .scale = varies ? 1.0 / deviation : 0.0,
                             .may_miss = may_miss});
  numbers_ += may_miss ? 2 : 1;
}

void MlpInput::add_category(std::size_t column, std::size_t levels, std::span<const double> cells) {
  Category category{.column = column, .vector_of_level = std::vector<std::int32_t>(levels, unseen)};
  for (std::size_t at = column; at < cells.size(); at += columns_) {
    const bool known = cells[at] >= 0.0 && cells[at] < static_cast<double>(levels);
    std::int32_t& vector = known ? category.vector_of_level[static_cast<std::size_t>(cells[at])]
                                 : category.vector_of_nothing;
    if (vector == unseen) vector = static_cast<std::int32_t>(category.vectors++);
  }
  if (category.vectors > 1) categories_.push_back(std::move(category));
}

void MlpInput::write(std::span<const double> row, std::span<float> numbers,
                     std::span<std::int32_t> vectors) const {
  std::size_t next = 0;
  for (const Number& number : number_columns_) {
    const double cell = row[number.column];
    const bool known = std::isfinite(cell);
    const double standardised = known ? (cell - number.mean) * number.scale : 0.0;
    numbers[next++] = static_cast<float>(std::clamp(standardised, -deviations_max, deviations_max));
    if (number.may_miss) numbers[next++] = known ? 0.0F : 1.0F;
  }
  for (std::size_t i = 0; i < categories_.size(); ++i) {
    const Category& category = categories_[i];
    const double cell = row[category.column];
    const bool known = cell >= 0.0 && cell < static_cast<double>(category.vector_of_level.size());
    vectors[i] = known ? category.vector_of_level[static_cast<std::size_t>(cell)]
                       : category.vector_of_nothing;
  }
}

MlpShape MlpShape::of(const MlpInput& input, std::size_t hidden) {
  MlpShape shape;
  shape.numbers = input.numbers();
  shape.hidden = hidden;
  for (const MlpInput::Category& category : input.categories()) {
    shape.vectors.push_back(category.vectors);
    shape.widths.push_back(std::min(width_max, (category.vectors + 1) / 2));
  }
  return shape;
}

std::size_t MlpShape::inputs() const {
  return std::accumulate(widths.begin(), widths.end(), numbers);
}

std::size_t MlpShape::embeddings() const {
  return std::inner_product(widths.begin(), widths.end(), vectors.begin(), std::size_t{0});
}

std::size_t MlpShape::parameters() const { return last_bias() + 1; }

std::vector<float> first_weights(const MlpShape& shape, std::uint64_t seed, std::uint64_t member) {
  std::vector<float> weights(shape.parameters());
  std::uint32_t draw = 0;
  const auto fill = [&](std::size_t begin, std::size_t size, double deviation) {
    for (std::size_t i = begin; i < begin + size; ++i) {
      weights[i] = static_cast<float>(
          deviation *
          sim::standard_normal(
              {.seed = seed, .purpose = sim::Purpose::learner, .entity = member, .draw = draw++}));
    }
  };
  const auto fan_in = [](std::size_t inputs) {
    return static_cast<double>(std::max<std::size_t>(inputs, 1));
  };
  fill(0, shape.embeddings(), 1.0);
  fill(shape.first(), shape.hidden * shape.inputs(), std::sqrt(2.0 / fan_in(shape.inputs())));
  fill(shape.second(), shape.hidden * shape.hidden, std::sqrt(2.0 / fan_in(shape.hidden)));
  fill(shape.last(), shape.hidden, std::sqrt(1.0 / fan_in(shape.hidden)));
  return weights;
}

/// Columns are rows of the data.
struct MlpPass::Matrices {
  Eigen::MatrixXf input;   ///< [inputs x batch]
  Eigen::MatrixXf first;   ///< [hidden x batch], after the rectifier
  Eigen::MatrixXf second;  ///< likewise
  Eigen::MatrixXf slope_second, slope_first, slope_input;
};

MlpPass::MlpPass(MlpShape shape) : shape_(std::move(shape)), at_(std::make_unique<Matrices>()) {
  fix_eigen_blocking();
}

MlpPass::~MlpPass() = default;

void MlpPass::forward(std::span<const float> parameters, const MlpRows& rows,
                      std::span<const std::size_t> batch, std::span<float> scores) {
  SIM_ASSERT(parameters.size() == shape_.parameters(), parameters.size());
  const Eigen::Index hidden = eigen_size(shape_.hidden);
  const Eigen::Index inputs = eigen_size(shape_.inputs());
  const std::size_t categories = shape_.vectors.size();
  at_->input.resize(inputs, eigen_size(batch.size()));
  for (std::size_t i = 0; i < batch.size(); ++i) {
    float* to = at_->input.col(eigen_size(i)).data();
    to = std::copy_n(rows.numbers.data() + batch[i] * shape_.numbers, shape_.numbers, to);
    const float* table = parameters.data();
    for (std::size_t c = 0; c < categories; ++c) {
      const std::int32_t vector = rows.vectors[batch[i] * categories + c];
      if (vector == MlpInput::unseen) {
        std::fill_n(to, shape_.widths[c], 0.0F);
      } else {
        std::copy_n(table + static_cast<std::size_t>(vector) * shape_.widths[c], shape_.widths[c],
                    to);
      }
      to += shape_.widths[c];
      table += shape_.widths[c] * shape_.vectors[c];
    }
  }
  const auto at = [&](std::size_t offset) { return parameters.data() + offset; };
  at_->first.noalias() = Weights(at(shape_.first()), hidden, inputs) * at_->input;
  at_->first.colwise() += Biases(at(shape_.first_bias()), hidden);
  at_->first = at_->first.cwiseMax(0.0F);
  at_->second.noalias() = Weights(at(shape_.second()), hidden, hidden) * at_->first;
  at_->second.colwise() += Biases(at(shape_.second_bias()), hidden);
  at_->second = at_->second.cwiseMax(0.0F);
  Eigen::Map<Eigen::RowVectorXf> score(scores.data(), eigen_size(batch.size()));
  score.noalias() = Biases(at(shape_.last()), hidden).transpose() * at_->second;
  score.array() += parameters[shape_.last_bias()];
}

void MlpPass::backward(std::span<const float> parameters, const MlpRows& rows,
                       std::span<const std::size_t> batch, std::span<const float> slopes,
                       std::span<float> gradient) {
  const Eigen::Index hidden = eigen_size(shape_.hidden);
  const Eigen::Index inputs = eigen_size(shape_.inputs());
  const Eigen::Map<const Eigen::RowVectorXf> slope(slopes.data(), eigen_size(batch.size()));
  const auto from = [&](std::size_t offset) { return parameters.data() + offset; };
  const auto to = [&](std::size_t offset) { return gradient.data() + offset; };
  gradient[shape_.last_bias()] = slope.sum();
  Slopes(to(shape_.last()), hidden, 1).noalias() = at_->second * slope.transpose();
  // A rectifier passes the slope on where its output is above zero.
  at_->slope_second.noalias() = Biases(from(shape_.last()), hidden) * slope;
  at_->slope_second.array() *= (at_->second.array() > 0.0F).cast<float>();
  Slopes(to(shape_.second_bias()), hidden, 1) = at_->slope_second.rowwise().sum();
  Slopes(to(shape_.second()), hidden, hidden).noalias() =
      at_->slope_second * at_->first.transpose();
  at_->slope_first.noalias() =
      Weights(from(shape_.second()), hidden, hidden).transpose() * at_->slope_second;
  at_->slope_first.array() *= (at_->first.array() > 0.0F).cast<float>();
  Slopes(to(shape_.first_bias()), hidden, 1) = at_->slope_first.rowwise().sum();
  Slopes(to(shape_.first()), hidden, inputs).noalias() = at_->slope_first * at_->input.transpose();
  const Eigen::Index embedded = inputs - eigen_size(shape_.numbers);
  at_->slope_input.noalias() =
      Weights(from(shape_.first()), hidden, inputs).rightCols(embedded).transpose() *
      at_->slope_first;
  std::fill_n(gradient.begin(), shape_.embeddings(), 0.0F);
  const std::size_t categories = shape_.vectors.size();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const float* entry = at_->slope_input.col(eigen_size(i)).data();
    float* table = gradient.data();
    for (std::size_t c = 0; c < categories; ++c) {
      const std::int32_t vector = rows.vectors[batch[i] * categories + c];
      if (vector != MlpInput::unseen) {
        float* const sum = table + static_cast<std::size_t>(vector) * shape_.widths[c];
        for (std::size_t k = 0; k < shape_.widths[c]; ++k) sum[k] += entry[k];
      }
      entry += shape_.widths[c];
      table += shape_.widths[c] * shape_.vectors[c];
    }
  }
}

}  // namespace cubicbench::predictor
