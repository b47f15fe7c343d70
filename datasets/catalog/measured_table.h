#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "datasets/catalog/measured_catalog.h"
#include "datasets/logs/given_columns.h"
#include "datasets/tables/collective_measurement.h"
#include "datasets/tables/measurement.h"
#include "datasets/tables/recommendation_measurement.h"

namespace cubicbench::datasets {

/// A table of measurements of one kind, in the order of DatasetKind.
using MeasuredTable =
    std::variant<Measurements, CollectiveMeasurements, RecommendationMeasurements>;

/// Of what kind a table is, and how many rows it has.
DatasetKind kind_of(const MeasuredTable& table);
std::size_t row_count(const MeasuredTable& table);

/// Reads CSV text by the columns that it has: collectives, recommendation results, else training
/// runs. A table that lacks a column is told by what else it has. Where the columns have room for
/// several kinds, a row with a `collective` is a collective, another with an `n_accel` a
/// recommendation result, any other a run: one table a kind with rows (at least one table), each in
/// the file's order with the file's lines. Throws InputError as the readers of these kinds, with
/// the problems of all.
std::vector<MeasuredTable> read_measured_tables(std::string_view text, const std::string& file);

/// The same where all rows are of one kind. Throws InputError where they are not.
MeasuredTable read_measured_table(std::string_view text, const std::string& file);

/// read_measured_tables() of a named table (`list datasets`) or a file, as find_measurements().
std::vector<MeasuredTable> find_measured_tables(const std::string& name_or_path,
                                                const std::string& where, GivenColumns given = {});

/// The tables of these files and names, each a table for each kind of rows in it; where none is
/// given, all measured tables that ship. Throws InputError with everything that is wrong: at
/// `where` for unknown names, a table without rows, two of one name, as sources are told apart by
/// it.
std::vector<MeasuredTable> find_measured_tables(std::span<const std::string> names_or_paths,
                                                const std::string& where, GivenColumns given = {});

}  // namespace cubicbench::datasets
