#pragma once

#include "predictor/gaussian_process/gaussian_process.h"

namespace cubicbench::search {

/// The logarithm of the expected improvement on `best`, also where that is too small for a double
/// [Ament23]. Requires a deviation above 0.
double log_expected_improvement(const predictor::Normal& f, double best);

}  // namespace cubicbench::search
