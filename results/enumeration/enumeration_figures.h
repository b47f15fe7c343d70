#pragma once

#include "datasets/exhaustive/enumeration.h"
#include "results/document/document.h"

namespace cubicbench::results {

/// Values of configurations that run, sorted, with the optimum, the baseline and the median as
/// levels. Requires quantiles.
Drawing distribution_drawing(const datasets::Enumeration& of);

/// The best of k draws on average, exactly, in the bands that hold half and nine tenths of all
/// random searches, with the optimum and the baseline as levels. Requires best_of_k.
Drawing random_drawing(const datasets::Enumeration& of);

}  // namespace cubicbench::results
