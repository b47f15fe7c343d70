#pragma once

#include "datasets/mapping/measured_run.h"
#include "datasets/tables/recommendation_measurement.h"

namespace cubicbench::datasets {

/// Maps a row to workload, plan, cluster and stack; the objective is samples_per_s. What a row
/// leaves open is filled from the files of defaults. Threads may call it at the same time.
MappedRun map_recommendation(const RecommendationMeasurement& row);

}  // namespace cubicbench::datasets
