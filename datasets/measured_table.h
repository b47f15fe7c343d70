#pragma once

#include <cstddef>
#include <string>
#include <variant>

#include "datasets/collective_measurement.h"
#include "datasets/measured_catalog.h"
#include "datasets/measurement.h"
#include "datasets/recommendation_measurement.h"

namespace cubicbench::datasets {

/// A table of measurements of one kind.
using MeasuredTable =
    std::variant<Measurements, CollectiveMeasurements, RecommendationMeasurements>;

/// Of what kind a table is, and how many rows it has.
DatasetKind kind_of(const MeasuredTable& table);
std::size_t row_count(const MeasuredTable& table);

/// Reads CSV text by the columns that it has: collectives, recommendation results, else training
/// runs. A table that lacks a column is told by what else it has. Throws InputError as the reader
/// of that kind.
MeasuredTable read_measured_table(std::string_view text, const std::string& file);

/// The same of a named table (`list datasets`) or a file, as find_measurements().
MeasuredTable find_measured_table(const std::string& name_or_path, const std::string& where);

}  // namespace cubicbench::datasets
