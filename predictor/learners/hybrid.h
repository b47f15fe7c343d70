#pragma once

#include "predictor/learners/model.h"

namespace cubicbench::predictor {

/// The simulator's answer, between its normal and its slow state as the training jobs show
/// (slow_state.h), and boosted trees for what they differ from that. A few hung jobs do not matter:
/// differences count up to two robust standard deviations. Feasibility: the mean of two logits, of
/// the simulator's memory and of trees that see it beside the launch features. Jobs that the
/// simulator has no answer for get what `xgboost` and the shared feasibility head say of them.
PredictorEntry hybrid_predictor();

}  // namespace cubicbench::predictor
