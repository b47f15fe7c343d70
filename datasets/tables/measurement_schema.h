#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "datasets/tables/measurement.h"
#include "support/csv.h"

namespace cubicbench::datasets {

/// Where a Measurement keeps the cells of one column.
using MeasurementMember =
    std::variant<std::string Measurement::*, std::optional<std::int64_t> Measurement::*,
                 std::optional<double> Measurement::*, std::optional<bool> Measurement::*,
                 std::optional<double> MeasuredFabric::*, MeasurementStatus Measurement::*,
                 MeasurementQuality Measurement::*>;

/// One column of the measurement schema.
struct MeasurementColumn {
  std::string_view name;
  MeasurementMember member;
  std::string_view summary;                      ///< what a cell says, one line
  std::span<const std::string_view> names = {};  ///< that a text must be one of; none: any
};

/// All columns that are read, in the order in which they are written.
std::span<const MeasurementColumn> measurement_columns();

/// Null when the schema has no column of this name.
const MeasurementColumn* find_measurement_column(std::string_view name);

/// Reads a cell into `row`. An empty cell leaves the row as it is. Returns what was expected when
/// the text is not of the column's kind, and "" when it is: counts are integers from 1 (`16.0` is
/// one, `16.5` is none), other numbers are decimals above zero, yes and no may be 1 and 0, true and
/// false, yes and no.
std::string set_cell(const MeasurementColumn& column, std::string_view text, Measurement& row);

/// Inverse of set_cell(): "" where the row has nothing, numbers in the shortest form, 1 and 0 for
/// yes and no.
std::string cell_text(const MeasurementColumn& column, const Measurement& row);

/// The same of the column of that name as an option would write it: "true" and "false" for yes and
/// no. Requires that the schema has it.
std::string option_text(std::string_view column, const Measurement& row);

/// "ok", "oom", "other", "requirement", and "ok", "flag", "early_pp", "untuned".
std::string_view name_of(MeasurementStatus status);
std::string_view name_of(MeasurementQuality quality);

}  // namespace cubicbench::datasets
