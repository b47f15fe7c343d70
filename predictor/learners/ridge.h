#pragma once

#include "predictor/learners/model.h"

namespace cubicbench::predictor {

/// Ridge regression of the logarithm on the standardised features and their squares; the penalty is
/// the one with the least squared error when each training job is left out in turn.
PredictorEntry ridge_predictor();

}  // namespace cubicbench::predictor
