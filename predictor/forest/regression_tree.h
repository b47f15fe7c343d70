#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "predictor/gaussian_process/product_kernel.h"

namespace cubicbench::predictor {

/// A column as trees see it.
struct LevelColumn {
  std::size_t levels = 1;  ///< at most `levels_max`
  bool labels = false;     ///< levels are in no order
};

/// Rows of levels, column after column, so that a tree that looks at one column reads in a row.
struct LevelTable {
  std::vector<LevelColumn> columns;
  std::vector<std::vector<std::uint8_t>> levels;  ///< [columns][rows]

  void add(std::span<const std::uint8_t> row);
  std::size_t rows() const { return levels.empty() ? 0 : levels.front().size(); }
};

/// A split, or a leaf.
struct TreeNode {
  std::uint64_t left_levels = 0;  ///< bit i: level i goes to `left`, others to the node after it
  std::uint32_t column = 0;
  std::uint32_t left = 0;  ///< 0: a leaf
  double value = 0.0;      ///< of a leaf
};

/// How a tree grows.
struct TreeGrowth {
  double column_share = 5.0 / 6.0;  ///< of the columns that a split may choose from
  std::size_t leaf_min = 1;         ///< rows of a leaf
};

/// A regression tree [Breiman01]. A value; threads may share it.
class RegressionTree {
 public:
  /// The first node is the root. Requires children behind their parents.
  explicit RegressionTree(std::vector<TreeNode> nodes) : nodes_(std::move(nodes)) {}

  /// Grown on `rows` of a table, one may be there twice. Each split has the least squared error of
  /// those that its columns offer, which are drawn by `seed`; of a column that is labels the levels
  /// with the lowest means go left. Requires a row, and a target for each row of the table.
  RegressionTree(const LevelTable& table, std::span<const double> targets,
                 std::vector<std::uint32_t> rows, const TreeGrowth& growth, std::uint64_t seed);

  double value_at(std::span<const std::uint8_t> levels) const {
    const TreeNode* node = nodes_.data();
    while (node->left != 0) {
      const bool left = (node->left_levels >> levels[node->column] & 1U) != 0;
      node = &nodes_[node->left + (left ? 0U : 1U)];
    }
    return node->value;
  }

  std::span<const TreeNode> nodes() const { return nodes_; }

 private:
  std::vector<TreeNode> nodes_;
};

}  // namespace cubicbench::predictor
