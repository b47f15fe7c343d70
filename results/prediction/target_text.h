#pragma once

#include <string>

#include "datasets/jobs/dataset.h"

namespace cubicbench::results {

/// What a job comes to as the paper plots it: its value, of a target per GPU the whole job's.
double whole_job(const datasets::Dataset& data, const datasets::Job& job, double value);

/// The unit of whole_job(): "tokens/s", "samples/s", or the target's own name.
std::string whole_job_unit(const datasets::Dataset& data);

/// The target for people: "tokens/s per GPU".
std::string target_text(const datasets::Dataset& data);

}  // namespace cubicbench::results
