#include "datasets/landscape/explained_variance.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "sim/base/check.h"

namespace cubicbench::datasets {
namespace {

constexpr std::size_t rows_min = 100;
constexpr int sweeps = 12;
constexpr double drawn_to_zero = 3.0;

/// One effect: which of its cells each row is in, and what is added to rows of each.
struct Effect {
  std::vector<std::size_t> cell_of_row;
  std::vector<double> added;
};

/// Cells by the values of one parameter, or of two.
Effect effect_of(std::span<const std::int64_t> first, std::span<const std::int64_t> second) {
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> cells;
  Effect effect;
  for (std::size_t row = 0; row < first.size(); ++row) {
    const std::pair values(first[row], second[row]);
    effect.cell_of_row.push_back(cells.emplace(values, cells.size()).first->second);
  }
  effect.added.resize(cells.size());
  return effect;
}

/// Rows that are learnt from; the others are told.
bool is_learnt(std::size_t row) { return row % 2 == 0; }

/// `y` less its mean over the rows that are learnt from.
std::vector<double> centred(std::span<const double> y) {
  double sum = 0.0;
  double count = 0.0;
  for (std::size_t row = 0; row < y.size(); ++row) {
    if (!is_learnt(row)) continue;
    sum += y[row];
    count += 1.0;
  }
  std::vector<double> left;
  left.reserve(y.size());
  for (const double value : y) left.push_back(value - sum / count);
  return left;
}

/// What is left of each row; of the learnt ones an effect takes its part.
class Residuals {
 public:
  explicit Residuals(std::span<const double> y) : left_(centred(y)) {}

  void refit(Effect& effect) {
    std::vector<double> sums(effect.added.size());
    std::vector<double> counts(effect.added.size(), drawn_to_zero);
    for (std::size_t row = 0; row < left_.size(); ++row) {
      const std::size_t cell = effect.cell_of_row[row];
      left_[row] += effect.added[cell];
      if (!is_learnt(row)) continue;
      sums[cell] += left_[row];
      counts[cell] += 1.0;
    }
    for (std::size_t cell = 0; cell < sums.size(); ++cell) {
      effect.added[cell] = sums[cell] / counts[cell];
    }
    for (std::size_t row = 0; row < left_.size(); ++row) {
      left_[row] -= effect.added[effect.cell_of_row[row]];
    }
  }

  /// Sum of squares over the rows that are told.
  double squares_told() const {
    double sum = 0.0;
    for (std::size_t row = 1; row < left_.size(); row += 2) sum += left_[row] * left_[row];
    return sum;
  }

 private:
  std::vector<double> left_;
};

/// Of the rows that are told, the sum of squares that the effects leave.
double squares_left(std::vector<Effect>& effects, std::span<const double> y) {
  Residuals residuals(y);
  for (Effect& effect : effects) std::ranges::fill(effect.added, 0.0);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (Effect& effect : effects) residuals.refit(effect);
  }
  return residuals.squares_told();
}

}  // namespace

std::optional<ExplainedVariance> explained_variance(
    std::span<const std::vector<std::int64_t>> levels, std::span<const double> y) {
  for (const std::vector<std::int64_t>& of : levels) SIM_ASSERT(of.size() == y.size(), of.size());
  if (y.size() < rows_min) return std::nullopt;
  const double all = Residuals(y).squares_told();
  if (all <= 0.0) return std::nullopt;
  std::vector<Effect> effects;
  for (const auto& level : levels) effects.push_back(effect_of(level, level));
  const double singles = std::max(0.0, 1.0 - squares_left(effects, y) / all);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    for (std::size_t j = i + 1; j < levels.size(); ++j) {
      effects.push_back(effect_of(levels[i], levels[j]));
    }
  }
  const double both = 1.0 - squares_left(effects, y) / all;
  return ExplainedVariance{.singles = singles, .pairs = std::max(0.0, both - singles)};
}

}  // namespace cubicbench::datasets
