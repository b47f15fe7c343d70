#pragma once

#include "predictor/learners/model.h"

namespace cubicbench::predictor {

/// The median logarithm of each GPU count, with straight lines in log2 GPUs between counts and
/// beyond the first and last two: what the size of a job alone tells.
PredictorEntry gpu_count_predictor();

}  // namespace cubicbench::predictor
