#include "predictor/neural/mlp_input.h"

#include <algorithm>
#include <cmath>

#include "support/statistics/mean.h"

namespace cubicbench::predictor {
namespace {

constexpr double deviations_max = 3.0;

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

}  // namespace cubicbench::predictor
