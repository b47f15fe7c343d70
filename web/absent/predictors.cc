#include "predictor/learners/registry.h"

// In the place of predictor/learners/: searchers learn by what lies beside it, and no command of
// the page judges predictors.
namespace cubicbench::predictor {

std::span<const PredictorEntry> predictors() { return {}; }

}  // namespace cubicbench::predictor
