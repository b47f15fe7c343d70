#pragma once

#include <string>

#include "datasets/csv.h"
#include "datasets/table_problems.h"

namespace cubicbench::datasets {

/// Adds a problem for each cell of a column `id` that repeats an earlier one: what is said of a row
/// names it by its id. Empty cells are no ids.
void check_ids(const CsvTable& table, const std::string& file, TableProblems& problems);

}  // namespace cubicbench::datasets
