#pragma once

#include <span>
#include <string>
#include <string_view>

#include "predictor/learners/model.h"

namespace cubicbench::predictor {

/// Every predictor that ships: constant, gpu-count, hybrid, knn, mlp, mlp-squared, ridge, roofline,
/// xgboost, xgboost-pairwise.
std::span<const PredictorEntry> predictors();

/// Throws InputError at `where`, with a suggestion for a name that is close.
const PredictorEntry& find_predictor(std::string_view name, const std::string& where);

/// Is the predictor privileged on that data?
bool is_privileged(const PredictorEntry& predictor, const datasets::Dataset& data);

}  // namespace cubicbench::predictor
