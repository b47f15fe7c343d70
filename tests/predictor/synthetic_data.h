#pragma once

#include <cstdint>

#include "datasets/jobs/dataset.h"

namespace cubicbench::predictor {

/// `rows` made-up jobs on 8 to 512 GPUs, all of which ran, each with a configuration of its own.
/// Columns: log2 GPUs, two numbers and a category of three levels, on all of which the value
/// depends, and a number that means nothing; a fifth of the second number is unknown. Physics is
/// near the value. Simulated, with 1 % noise.
datasets::Dataset synthetic_data(std::int64_t rows, std::uint64_t seed);

/// Jobs whose first number is large run out of memory, about a third.
void fail_large_jobs(datasets::Dataset& data);

/// Deals the outcomes, of jobs and memory alike, to the jobs at random; everything that is known at
/// launch, and physics, stays.
void shuffle_outcomes(datasets::Dataset& data, std::uint64_t seed);

}  // namespace cubicbench::predictor
