#include "predictor/learners/boosted_trees.h"

#include "predictor/learners/registry.h"
#include "support/input_error.h"

// In the place of predictor/learners/boosted_trees.cc: a page has no XGBoost. No command of the
// page asks for a predictor that needs it.
namespace cubicbench::predictor {
namespace {

[[noreturn]] void refuse() { throw support::OutputError("XGBoost: not part of this page"); }

std::unique_ptr<const Model> refused(const datasets::Dataset& /*data*/,
                                     std::span<const std::size_t> /*jobs*/,
                                     std::uint64_t /*seed*/) {
  refuse();
}

PredictorEntry missing(std::string_view name) {
  return {.name = name,
          .summary = "Boosted trees (XGBoost), which this page does not have",
          .fit = refused};
}

}  // namespace

BoostedTrees::BoostedTrees(const FeatureMatrix& /*features*/, std::span<const double> /*labels*/,
                           const TreeSettings& /*settings*/, std::uint64_t /*seed*/,
                           std::span<const double> /*weights*/) {
  refuse();
}

std::vector<double> BoostedTrees::predict(const FeatureMatrix& /*features*/) const { refuse(); }

std::unique_ptr<const Model> model_of(Encoding /*encoding*/, BoostedTrees /*trees*/) { refuse(); }

PredictorEntry xgboost_predictor() { return missing("xgboost"); }
PredictorEntry xgboost_pairwise_predictor() { return missing("xgboost-pairwise"); }

}  // namespace cubicbench::predictor
