#pragma once

#include <span>
#include <string>
#include <string_view>

#include "predictor/learners/model.h"

namespace cubicbench::predictor {

/// Every predictor that ships, sorted by name.
std::span<const PredictorEntry> predictors();

// Each in a source of its own, which says how it learns.
PredictorEntry constant_predictor();
PredictorEntry gp_predictor();
PredictorEntry gpu_count_predictor();
PredictorEntry hybrid_predictor();
PredictorEntry knn_predictor();
PredictorEntry mlp_predictor();
PredictorEntry mlp_squared_predictor();
PredictorEntry random_forest_predictor();
PredictorEntry ridge_predictor();
PredictorEntry roofline_predictor();
PredictorEntry xgboost_predictor();
PredictorEntry xgboost_pairwise_predictor();

/// Throws InputError at `where`, with a suggestion for a name that is close.
const PredictorEntry& find_predictor(std::string_view name, const std::string& where);

/// Is the predictor privileged on that data?
bool is_privileged(const PredictorEntry& predictor, const datasets::Dataset& data);

}  // namespace cubicbench::predictor
