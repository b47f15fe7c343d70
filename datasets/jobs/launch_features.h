#pragma once

#include <span>
#include <vector>

#include "datasets/jobs/dataset.h"
#include "datasets/jobs/measured_dataset.h"
#include "datasets/tables/measurement.h"

namespace cubicbench::datasets {

/// What may be known of a measured run before it starts, as the columns of a table: its knobs, its
/// model and its cluster, and of FeatureSet::measured_fabric what it measured of its fabric. The
/// same columns and levels for every table, so that what was learnt on one fits another.
std::vector<Column> launch_columns(FeatureSet features);

/// Writes the cells of a row, one a column of launch_columns(). Where the row says nothing, or
/// nothing that is a level, NaN.
void write_launch_cells(const Measurement& row, FeatureSet features, std::span<double> cells);

}  // namespace cubicbench::datasets
