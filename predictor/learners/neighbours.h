#pragma once

#include "predictor/learners/model.h"

namespace cubicbench::predictor {

/// The mean logarithm of the k training jobs whose standardised features are nearest, weighted by
/// the inverse squared distance; k is the one with the least squared error when each training job
/// is left out in turn.
PredictorEntry knn_predictor();

}  // namespace cubicbench::predictor
