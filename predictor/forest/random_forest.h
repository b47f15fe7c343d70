#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "predictor/forest/regression_tree.h"
#include "predictor/gaussian_process/gaussian_process.h"

namespace cubicbench::predictor {

/// How a forest grows.
struct ForestGrowth {
  std::size_t trees = 30;
  TreeGrowth tree{};
  std::uint64_t seed = 0;
};

/// A random forest [Breiman01]: trees, each grown on as many rows drawn with replacement. What it
/// expects of a row is the mean of its trees' values, how sure it is their deviation
/// [Hutter11]. A pure function of its arguments; a value that threads may share.
class RandomForest {
 public:
  /// Requires a tree.
  explicit RandomForest(std::vector<RegressionTree> trees) : trees_(std::move(trees)) {}

  /// Requires a row, and a target for each.
  RandomForest(const LevelTable& table, std::span<const double> targets,
               const ForestGrowth& growth);

  Normal at(std::span<const std::uint8_t> levels) const;

  std::span<const RegressionTree> trees() const { return trees_; }

 private:
  std::vector<RegressionTree> trees_;
};

}  // namespace cubicbench::predictor
