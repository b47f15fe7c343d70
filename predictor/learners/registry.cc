#include "predictor/learners/registry.h"

#include <algorithm>
#include <vector>

#include "predictor/learners/boosted_trees.h"
#include "predictor/learners/constant.h"
#include "predictor/learners/gpu_count.h"
#include "predictor/learners/hybrid.h"
#include "predictor/learners/mlp.h"
#include "predictor/learners/neighbours.h"
#include "predictor/learners/ridge.h"
#include "predictor/learners/roofline.h"
#include "support/input_error.h"
#include "support/suggestion.h"

namespace cubicbench::predictor {

std::span<const PredictorEntry> predictors() {
  static const std::vector<PredictorEntry> entries{
      constant_predictor(), gpu_count_predictor(),       hybrid_predictor(), knn_predictor(),
      mlp_predictor(),      mlp_squared_predictor(),     ridge_predictor(),  roofline_predictor(),
      xgboost_predictor(),  xgboost_pairwise_predictor()};
  return entries;
}

const PredictorEntry& find_predictor(std::string_view name, const std::string& where) {
  const auto all = predictors();
  const auto found = std::ranges::find(all, name, &PredictorEntry::name);
  if (found != all.end()) return *found;
  std::vector<std::string_view> names;
  std::string listed;
  for (const PredictorEntry& entry : all) {
    names.push_back(entry.name);
    listed += (listed.empty() ? "" : ", ") + std::string(entry.name);
  }
  throw support::InputError(where, "expected one of " + listed + ", got \"" +
                                       support::shortened(name) + "\"" +
                                       support::did_you_mean(name, names));
}

bool is_privileged(const PredictorEntry& predictor, const datasets::Dataset& data) {
  return predictor.asks_simulator && data.simulated;
}

}  // namespace cubicbench::predictor
