#include "predictor/forest/regression_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "sim/base/check.h"
#include "sim/base/philox.h"

namespace cubicbench::predictor {
namespace {

/// What the rows of a node have of one level.
struct LevelSum {
  std::uint32_t rows = 0;
  double sum = 0.0;
};

struct Split {
  double worth = 0.0;  ///< sum^2 / rows of both sides: the more, the less squared error is left
  std::uint32_t column = 0;
  std::uint64_t left_levels = 0;
};

constexpr std::uint64_t bit(std::size_t level) { return std::uint64_t{1} << level; }

/// Levels 0 to `last`.
constexpr std::uint64_t up_to(std::size_t last) {
  return last + 1 < levels_max ? bit(last + 1) - 1 : ~std::uint64_t{0};
}

class Grower {
 public:
  Grower(const LevelTable& table, std::span<const double> targets, std::vector<std::uint32_t> rows,
         const TreeGrowth& growth, std::uint64_t seed)
      : table_(table),
        targets_(targets),
        rows_(std::move(rows)),
        growth_(growth),
        word_(seed),
        columns_(table.columns.size()) {
    std::iota(columns_.begin(), columns_.end(), 0U);
    const double share = growth.column_share * static_cast<double>(columns_.size());
    offered_ = std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(share - 1e-9)));
  }

  std::vector<TreeNode> grown() {
    nodes_.emplace_back();
    std::vector<Part> parts{{.node = 0, .begin = 0, .end = rows_.size()}};
    while (!parts.empty()) {
      const Part part = parts.back();
      parts.pop_back();
      const auto split = best_split(part);
      if (!split) continue;
      const std::size_t middle = partition(part, *split);
      const auto left = static_cast<std::uint32_t>(nodes_.size());
      nodes_[part.node] = {
          .left_levels = split->left_levels, .column = split->column, .left = left};
      nodes_.resize(nodes_.size() + 2);
      parts.push_back({.node = left + 1, .begin = middle, .end = part.end});
      parts.push_back({.node = left, .begin = part.begin, .end = middle});
    }
    return std::move(nodes_);
  }

 private:
  struct Part {
    std::uint32_t node = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  std::size_t below(std::size_t n) {
    word_ = sim::mix(word_);
    return static_cast<std::size_t>((word_ >> 32U) * n >> 32U);
  }

  /// Nothing where the part becomes a leaf, whose value it writes.
  std::optional<Split> best_split(const Part& part) {
    const std::span rows = std::span(rows_).subspan(part.begin, part.end - part.begin);
    double low = targets_[rows.front()];
    double high = low;
    sum_ = 0.0;
    for (const std::uint32_t row : rows) {
      const double target = targets_[row];
      low = std::min(low, target);
      high = std::max(high, target);
      sum_ += target;
    }
    std::optional<Split> best;
    if (low < high && rows.size() >= 2 * growth_.leaf_min) {
      for (std::size_t i = 0; i < columns_.size() && (i < offered_ || !best); ++i) {
        std::swap(columns_[i], columns_[i + below(columns_.size() - i)]);
        look_at(columns_[i], rows, best);
        if (best && rows.size() == 2) break;  // no other column splits two rows better
      }
    }
    if (!best) {
      const double mean = sum_ / static_cast<double>(rows.size());
      nodes_[part.node].value = std::clamp(mean, low, high);
    }
    return best;
  }

  void look_at(std::uint32_t column, std::span<const std::uint32_t> rows,
               std::optional<Split>& best) {
    const std::size_t levels = table_.columns[column].levels;
    std::fill_n(sums_.begin(), levels, LevelSum{});
    const std::uint8_t* const of_rows = table_.levels[column].data();
    for (const std::uint32_t row : rows) {
      LevelSum& level = sums_[of_rows[row]];
      ++level.rows;
      level.sum += targets_[row];
    }
    std::size_t present = 0;
    for (std::size_t level = 0; level < levels; ++level) {
      if (sums_[level].rows > 0) order_[present++] = static_cast<std::uint8_t>(level);
    }
    if (present < 2) return;
    const std::span order = std::span(order_).first(present);
    if (table_.columns[column].labels) sort_by_mean(order);
    cut(column, order, rows.size(), best);
  }

  void sort_by_mean(std::span<std::uint8_t> order) const {
    std::ranges::stable_sort(order, {}, [&](std::uint8_t level) {
      return sums_[level].sum / static_cast<double>(sums_[level].rows);
    });
  }

  /// Tries all cuts of the levels in that order.
  void cut(std::uint32_t column, std::span<const std::uint8_t> order, std::size_t rows,
           std::optional<Split>& best) const {
    const bool labels = table_.columns[column].labels;
    LevelSum left;
    std::uint64_t left_labels = 0;
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      left.rows += sums_[order[i]].rows;
      left.sum += sums_[order[i]].sum;
      left_labels |= bit(order[i]);
      const std::size_t right_rows = rows - left.rows;
      if (left.rows < growth_.leaf_min || right_rows < growth_.leaf_min) continue;
      const double right_sum = sum_ - left.sum;
      const double worth = left.sum * left.sum / static_cast<double>(left.rows) +
                           right_sum * right_sum / static_cast<double>(right_rows);
      if (best && !(worth > best->worth)) continue;
      const std::uint64_t below_middle =
          up_to((std::size_t{order[i]} + std::size_t{order[i + 1]}) / 2);
      best = {
          .worth = worth,
          .column = column,
          .left_levels = labels ? with_absent(left_labels, left.rows >= right_rows) : below_middle};
    }
  }

  /// Labels that no row of the node has go where most rows go.
  std::uint64_t with_absent(std::uint64_t left_labels, bool left_is_larger) const {
    if (!left_is_larger) return left_labels;
    std::uint64_t right = 0;
    for (std::size_t level = 0; level < levels_max; ++level) {
      if (sums_[level].rows > 0 && (left_labels & bit(level)) == 0) right |= bit(level);
    }
    return ~right;
  }

  std::size_t partition(const Part& part, const Split& split) {
    const std::uint8_t* const of_rows = table_.levels[split.column].data();
    const auto begin = rows_.begin() + static_cast<std::ptrdiff_t>(part.begin);
    const auto end = rows_.begin() + static_cast<std::ptrdiff_t>(part.end);
    const auto middle = std::stable_partition(begin, end, [&](std::uint32_t row) {
      return (split.left_levels >> of_rows[row] & 1U) != 0;
    });
    return static_cast<std::size_t>(middle - rows_.begin());
  }

  const LevelTable& table_;
  std::span<const double> targets_;
  std::vector<std::uint32_t> rows_;
  TreeGrowth growth_;
  std::uint64_t word_;
  std::vector<std::uint32_t> columns_;  ///< in the order that was drawn last
  std::size_t offered_ = 1;
  std::vector<TreeNode> nodes_;
  double sum_ = 0.0;  ///< of the node's targets
  std::array<LevelSum, levels_max> sums_{};
  std::array<std::uint8_t, levels_max> order_{};
};

}  // namespace

void LevelTable::add(std::span<const std::uint8_t> row) {
  SIM_ASSERT(row.size() == columns.size(), row.size(), columns.size());
  levels.resize(columns.size());
  for (std::size_t i = 0; i < row.size(); ++i) levels[i].push_back(row[i]);
}

RegressionTree::RegressionTree(const LevelTable& table, std::span<const double> targets,
                               std::vector<std::uint32_t> rows, const TreeGrowth& growth,
                               std::uint64_t seed) {
  SIM_ASSERT(!rows.empty(), rows.size());
  nodes_ = Grower(table, targets, std::move(rows), growth, seed).grown();
}

}  // namespace cubicbench::predictor
