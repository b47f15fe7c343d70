#include "predictor/forest/random_forest.h"

#include <optional>
#include <vector>

#include "predictor/encoding/encoding.h"
#include "predictor/encoding/feature_levels.h"
#include "predictor/learners/registry.h"
#include "support/statistics/mean.h"

namespace cubicbench::predictor {
namespace {

constexpr std::size_t trees = 100;

class Forest : public Model {
 public:
  Forest(const datasets::Dataset& data, std::span<const std::size_t> jobs, std::uint64_t seed)
      : encoding_(data, jobs, EncodingForm::raw),
        levels_(encoding_.encode(data, jobs)),
        mean_(support::mean(log_values(data, jobs))) {
    if (levels_.columns() == 0) return;
    LevelTable table;
    for (std::size_t column = 0; column < levels_.columns(); ++column) {
      table.columns.push_back({.levels = levels_.levels(column)});
    }
    const FeatureMatrix features = encoding_.encode(data, jobs);
    for (std::size_t row = 0; row < features.rows; ++row) table.add(levels_.of(features.row(row)));
    forest_.emplace(table, log_values(data, jobs), ForestGrowth{.trees = trees, .seed = seed});
  }

  std::vector<double> predict(const datasets::Dataset& data,
                              std::span<const std::size_t> jobs) const override {
    std::vector<double> predicted(jobs.size(), mean_);
    if (!forest_) return predicted;
    const FeatureMatrix features = encoding_.encode(data, jobs);
    for (std::size_t row = 0; row < features.rows; ++row) {
      predicted[row] = forest_->at(levels_.of(features.row(row))).mean;
    }
    return predicted;
  }

 private:
  Encoding encoding_;
  FeatureLevels levels_;
  double mean_;
  std::optional<RandomForest> forest_;  ///< nothing where jobs do not differ
};

}  // namespace

/// The mean logarithm that a hundred trees of RandomForest expect, five sixths of the features
/// offered to a split, grown down to single jobs [Breiman01, Hutter11].
PredictorEntry random_forest_predictor() {
  return {.name = "random-forest",
          .summary = "A random forest, squared error on the logarithm",
          .fit = fit_as<Forest>};
}

}  // namespace cubicbench::predictor
