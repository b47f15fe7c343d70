#include "predictor/learners/registry.h"

#include <algorithm>
#include <vector>

#include "support/input_error.h"
#include "support/joined.h"
#include "support/suggestion.h"

namespace cubicbench::predictor {

std::span<const PredictorEntry> predictors() {
  static const std::vector<PredictorEntry> entries{
      constant_predictor(),    gp_predictor(),
      gpu_count_predictor(),   hybrid_predictor(),
      knn_predictor(),         mlp_predictor(),
      mlp_squared_predictor(), random_forest_predictor(),
      ridge_predictor(),       roofline_predictor(),
      xgboost_predictor(),     xgboost_pairwise_predictor()};
  return entries;
}

const PredictorEntry& find_predictor(std::string_view name, const std::string& where) {
  const auto all = predictors();
  const auto found = std::ranges::find(all, name, &PredictorEntry::name);
  if (found != all.end()) return *found;
  std::vector<std::string_view> names;
  for (const PredictorEntry& entry : all) names.push_back(entry.name);
  throw support::InputError(where, "expected one of " + support::joined(names, ", ") + ", got \"" +
                                       support::shortened(name) + "\"" +
                                       support::did_you_mean(name, names));
}

bool is_privileged(const PredictorEntry& predictor, const datasets::Dataset& data) {
  return predictor.asks_simulator && data.simulated;
}

}  // namespace cubicbench::predictor
