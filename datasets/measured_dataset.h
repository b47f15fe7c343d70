#pragma once

#include <string>

#include "datasets/dataset.h"
#include "datasets/measurement.h"

namespace cubicbench::datasets {

/// What a predictor may know of a measured job.
enum class FeatureSet {
  launch,           ///< knobs, model and cluster
  measured_fabric,  ///< and what the job measured of its fabric before training
};

/// The jobs of a measurement table: timed are rows with status and quality `ok`; those with status
/// ok or oom and quality early_pp count for memory only; all others are left out. Repeats have
/// equal launch features. Physics comes from map_run() and the analytical engine.
Dataset measured_dataset(const Measurements& measurements, FeatureSet features);

}  // namespace cubicbench::datasets
