#pragma once

#include "predictor/learners/model.h"

namespace cubicbench::predictor {

/// MlpEnsemble with its defaults: trained on the order of pairs, and on the logarithm itself.
PredictorEntry mlp_predictor();
PredictorEntry mlp_squared_predictor();

}  // namespace cubicbench::predictor
