#pragma once

#include "predictor/learners/model.h"

namespace cubicbench::predictor {

/// The simulator's own answer, moved by the median difference of the training jobs; feasibility
/// from its memory. Of jobs that the simulator has no answer for, the training jobs' median.
PredictorEntry roofline_predictor();

}  // namespace cubicbench::predictor
