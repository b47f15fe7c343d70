#pragma once

#include "predictor/learners/model.h"

namespace cubicbench::predictor {

/// The median of all: what any other predictor has to beat.
PredictorEntry constant_predictor();

}  // namespace cubicbench::predictor
