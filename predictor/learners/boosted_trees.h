#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "predictor/encoding/encoding.h"
#include "predictor/learners/model.h"

namespace cubicbench::predictor {

enum class TreeObjective {
  squared_error,  ///< estimates the label
  pairwise,       ///< a score that orders rows as their labels do; all rows are one group
  logistic,       ///< labels 0 or 1; estimates the probability of 1
};

/// One setting for tables of some tens to some thousands of rows. Many small steps of shallow
/// trees, each grown on a random part of rows and columns, are the library's own advice against
/// overfitting [XGBoost16, section 2.3; its notes on parameter tuning].
struct TreeSettings {
  TreeObjective objective = TreeObjective::squared_error;
  int rounds = 600;
  int depth = 3;
  double learning_rate = 0.03;
  double row_share = 0.6;     ///< drawn anew for each tree
  double column_share = 0.5;  ///< likewise
  double child_weight_min = 1.0;
  double penalty = 1.0;  ///< on squared leaf values
};

/// Gradient-boosted regression trees (XGBoost). Never changed once fitted; threads may share it.
class BoostedTrees {
 public:
  /// A pure function of its arguments on one thread. NaN features are missing; the trees learn
  /// where those go. Requires one label a row, at least one row. Labels of squared_error may have
  /// any location: their median is taken off first, with `weights` (of rows, above zero, or none)
  /// their weighted mean. Throws OutputError when the library fails.
  BoostedTrees(const FeatureMatrix& features, std::span<const double> labels,
               const TreeSettings& settings, std::uint64_t seed,
               std::span<const double> weights = {});

  /// One estimate a row. `features` has the columns of the training features.
  std::vector<double> predict(const FeatureMatrix& features) const;

 private:
  /// The library's; nothing when there are no features.
  std::unique_ptr<void, int (*)(void*)> booster_{nullptr, nullptr};
  double offset_ = 0.0;
};

/// The model that encodes jobs and asks trees about them.
std::unique_ptr<const Model> model_of(Encoding encoding, BoostedTrees trees);

}  // namespace cubicbench::predictor
