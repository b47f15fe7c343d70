#pragma once

#include <string>

#include "datasets/tables/collective_measurement.h"
#include "datasets/tables/measurement.h"
#include "datasets/tables/recommendation_measurement.h"

namespace cubicbench::datasets {

/// Rows that may be ranked against each other: of a family, with equal model, device, GPU count,
/// sequence and precision.
std::string group_of(const Measurement& row);
/// Family, model and precision.
std::string group_of(const RecommendationMeasurement& row);
/// System, collective and GPU count: one measurement, whose sizes are its points.
std::string group_of(const CollectiveMeasurement& row);

/// Accelerator and count: "A100-40GB/8".
std::string family_of(const RecommendationMeasurement& row);

/// Rows of one layout, equal in all but the micro-batch, and the accumulation and batch that follow
/// from it. "" where the row has no micro-batch.
std::string ladder_of(const Measurement& row);

}  // namespace cubicbench::datasets
