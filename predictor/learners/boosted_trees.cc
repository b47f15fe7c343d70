#include "predictor/learners/boosted_trees.h"

#include <xgboost/c_api.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "predictor/learners/registry.h"
#include "sim/base/check.h"
#include "support/input_error.h"
#include "support/interruption.h"
#include "support/json/canonical.h"
#include "support/statistics/mean.h"
#include "support/statistics/quantile.h"

namespace cubicbench::predictor {
namespace {

/// The library's message is followed by addresses on its stack, on lines of their own.
void check(int code) {
  if (code == 0) return;
  const std::string message = XGBGetLastError();
  throw support::OutputError("XGBoost: " + message.substr(0, message.find('\n')));
}

/// The library's precision, and no infinities, which it refuses.
std::vector<float> as_floats(std::span<const double> values) {
  constexpr double limit = std::numeric_limits<float>::max();
  std::vector<float> floats;
  floats.reserve(values.size());
  for (const double value : values) {
    floats.push_back(static_cast<float>(std::clamp(value, -limit, limit)));  // NaN stays
  }
  return floats;
}

/// The training table as the library holds it.
std::shared_ptr<void> table_of(const FeatureMatrix& features, std::span<const double> labels,
                               std::span<const double> weights, bool grouped) {
  const std::vector<float> cells = as_floats(features.cells);
  DMatrixHandle handle = nullptr;
  check(XGDMatrixCreateFromMat_omp(cells.data(), features.rows, features.columns,
                                   std::numeric_limits<float>::quiet_NaN(), &handle, 1));
  std::shared_ptr<void> table(handle, XGDMatrixFree);
  const std::vector<float> label = as_floats(labels);
  check(XGDMatrixSetFloatInfo(handle, "label", label.data(), label.size()));
  if (!weights.empty()) {
    const std::vector<float> weight = as_floats(weights);
    check(XGDMatrixSetFloatInfo(handle, "weight", weight.data(), weight.size()));
  }
  if (grouped) {
    const auto rows = static_cast<unsigned>(features.rows);
    check(XGDMatrixSetUIntInfo(handle, "group", &rows, 1));
  }
  return table;
}

const char* name_of(TreeObjective objective) {
  switch (objective) {
    case TreeObjective::squared_error:
      return "reg:squarederror";
    case TreeObjective::pairwise:
      return "rank:pairwise";
    case TreeObjective::logistic:
      return "binary:logistic";
  }
  SIM_ASSERT(false, objective);
}

/// The library's seeds have 31 bits.
std::string seed_text(std::uint64_t seed) {
  return std::to_string((seed ^ (seed >> 31) ^ (seed >> 62)) & 0x7FFF'FFFFU);
}

void configure(BoosterHandle booster, const TreeSettings& settings, std::uint64_t seed) {
  const auto set = [&](const char* name, const std::string& value) {
    check(XGBoosterSetParam(booster, name, value.c_str()));
  };
  set("nthread", "1");
  set("verbosity", "0");
  set("seed", seed_text(seed));
  set("booster", "gbtree");
  set("tree_method", "exact");  // small tables need no sketch of where to cut
  set("objective", name_of(settings.objective));
  set("base_score", settings.objective == TreeObjective::logistic ? "0.5" : "0");
  set("max_depth", std::to_string(settings.depth));
  set("eta", support::shortest(settings.learning_rate));
  set("subsample", support::shortest(settings.row_share));
  set("colsample_bytree", support::shortest(settings.column_share));
  set("min_child_weight", support::shortest(settings.child_weight_min));
  set("lambda", support::shortest(settings.penalty));
}

/// NumPy's description of a matrix in memory, which the library reads in place.
std::string array_interface(const std::vector<float>& cells, std::size_t rows,
                            std::size_t columns) {
  return R"({"data": [)" + std::to_string(reinterpret_cast<std::uintptr_t>(cells.data())) +
         R"(, true], "shape": [)" + std::to_string(rows) + ", " + std::to_string(columns) +
         R"(], "typestr": "<f4", "version": 3})";
}

}  // namespace

BoostedTrees::BoostedTrees(const FeatureMatrix& features, std::span<const double> labels,
                           const TreeSettings& settings, std::uint64_t seed,
                           std::span<const double> weights) {
  SIM_ASSERT(features.rows >= 1, features.rows);
  SIM_ASSERT(features.rows == labels.size(), features.rows, labels.size());
  SIM_ASSERT(weights.empty() || weights.size() == labels.size(), weights.size());
  std::vector<double> centred(labels.begin(), labels.end());
  if (settings.objective == TreeObjective::squared_error) {
    offset_ = weights.empty() ? support::median(centred) : support::weighted_mean(centred, weights);
    for (double& label : centred) label -= offset_;
  }
  if (features.columns == 0) {
    if (settings.objective == TreeObjective::logistic) offset_ = 0.5;
    return;
  }
  const std::shared_ptr<void> table =
      table_of(features, centred, weights, settings.objective == TreeObjective::pairwise);
  const DMatrixHandle cached = table.get();
  BoosterHandle handle = nullptr;
  check(XGBoosterCreate(&cached, 1, &handle));
  booster_ = {handle, XGBoosterFree};
  configure(handle, settings, seed);
  for (int round = 0; round < settings.rounds; ++round) {
    support::end_if_interrupted();
    check(XGBoosterUpdateOneIter(handle, round, table.get()));
  }
}

// Prediction in place is the one that many threads may do with one booster.
std::vector<double> BoostedTrees::predict(const FeatureMatrix& features) const {
  if (!booster_ || features.rows == 0) return std::vector<double>(features.rows, offset_);
  const std::vector<float> cells = as_floats(features.cells);
  const std::string interface = array_interface(cells, features.rows, features.columns);
  constexpr const char* config =
      R"({"type": 0, "training": false, "iteration_begin": 0, )"
      R"("iteration_end": 0, "strict_shape": false, "cache_id": 0, "missing": NaN})";
  const bst_ulong* shape = nullptr;
  bst_ulong dimensions = 0;
  const float* result = nullptr;
  check(XGBoosterPredictFromDense(booster_.get(), interface.c_str(), config, nullptr, &shape,
                                  &dimensions, &result));
  SIM_ASSERT(dimensions >= 1 && shape[0] == features.rows, dimensions);
  std::vector<double> predicted;
  predicted.reserve(features.rows);
  for (std::size_t row = 0; row < features.rows; ++row) {
    predicted.push_back(offset_ + static_cast<double>(result[row]));
  }
  return predicted;
}

namespace {

class TreeModel : public Model {
 public:
  TreeModel(Encoding encoding, BoostedTrees trees)
      : encoding_(std::move(encoding)), trees_(std::move(trees)) {}

  std::vector<double> predict(const datasets::Dataset& data,
                              std::span<const std::size_t> jobs) const override {
    return trees_.predict(encoding_.encode(data, jobs));
  }

 private:
  Encoding encoding_;
  BoostedTrees trees_;
};

}  // namespace

std::unique_ptr<const Model> model_of(Encoding encoding, BoostedTrees trees) {
  return std::make_unique<TreeModel>(std::move(encoding), std::move(trees));
}

namespace {

/// Only the signs of pairs pull, and a row weighs less than a quarter: steps are larger and leaves
/// may be lighter than for squared errors.
constexpr TreeSettings pairwise_settings{
    .objective = TreeObjective::pairwise, .learning_rate = 0.1, .child_weight_min = 0.25};

constexpr TreeSettings default_settings;

template <const TreeSettings& settings>
std::unique_ptr<const Model> fit_trees(const datasets::Dataset& data,
                                       std::span<const std::size_t> jobs, std::uint64_t seed) {
  Encoding encoding(data, jobs, EncodingForm::raw);
  BoostedTrees trees(encoding.encode(data, jobs), log_values(data, jobs), settings, seed);
  return model_of(std::move(encoding), std::move(trees));
}

}  // namespace

PredictorEntry xgboost_predictor() {
  return {.name = "xgboost",
          .summary = "Gradient-boosted trees, squared error on the logarithm",
          .fit = fit_trees<default_settings>};
}

PredictorEntry xgboost_pairwise_predictor() {
  return {.name = "xgboost-pairwise",
          .summary = "Gradient-boosted trees that learn which of two jobs is the faster",
          .calibrated = false,
          .fit = fit_trees<pairwise_settings>};
}

}  // namespace cubicbench::predictor
