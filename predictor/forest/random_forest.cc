#include "predictor/forest/random_forest.h"

#include <algorithm>
#include <cmath>

#include "sim/base/check.h"
#include "sim/base/philox.h"
#include "support/interruption.h"

namespace cubicbench::predictor {
namespace {

std::vector<std::uint32_t> drawn_rows(std::size_t rows, std::uint64_t seed) {
  std::vector<std::uint32_t> drawn(rows);
  std::uint64_t word = seed;
  for (std::uint32_t& row : drawn) {
    word = sim::mix(word);
    row = static_cast<std::uint32_t>((word >> 32U) * rows >> 32U);
  }
  return drawn;
}

}  // namespace

RandomForest::RandomForest(const LevelTable& table, std::span<const double> targets,
                           const ForestGrowth& growth) {
  SIM_ASSERT(table.rows() == targets.size() && !targets.empty(), table.rows(), targets.size());
  for (std::size_t tree = 0; tree < growth.trees; ++tree) {
    support::end_if_interrupted();
    const sim::RandomWords words = sim::random_words(
        {.seed = growth.seed, .purpose = sim::Purpose::learner, .entity = tree, .draw = 0});
    trees_.emplace_back(table, targets, drawn_rows(table.rows(), words.first), growth.tree,
                        words.second);
  }
}

Normal RandomForest::at(std::span<const std::uint8_t> levels) const {
  double sum = 0.0;
  double squares = 0.0;
  const double origin = trees_.front().value_at(levels);
  for (const RegressionTree& tree : trees_) {
    const double off = tree.value_at(levels) - origin;
    sum += off;
    squares += off * off;
  }
  const auto count = static_cast<double>(trees_.size());
  const double mean = sum / count;
  return {.mean = origin + mean,
          .deviation = std::sqrt(std::max(squares / count - mean * mean, 0.0))};
}

}  // namespace cubicbench::predictor
