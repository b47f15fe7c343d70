#pragma once

#include <string>

#include "datasets/jobs/dataset.h"
#include "results/document/figure.h"

namespace cubicbench::results {

/// Jobs in the order of their launch against their number of GPUs: CubicML's Fig. 4, left. Time
/// runs from 0, the first launch, to 1, the last. `name` prefixes the ids of the SVG.
Figure job_times_figure(const datasets::Dataset& data, const std::string& name);

/// The jobs in that order: job, order of launch as the dataset has it, time as plotted, gpus,
/// status.
std::string job_times_csv(const datasets::Dataset& data);

/// What the figure shows, a few sentences of plain text.
std::string job_times_caption(const datasets::Dataset& data);

}  // namespace cubicbench::results
