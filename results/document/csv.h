#pragma once

#include <string>

#include "results/document/table.h"

namespace cubicbench::results {

/// The table as CSV: a header of keys, then a record a row. Numbers in the shortest form that reads
/// back to the same double, nothing where a number is not known or not finite, 1 and 0 for truth
/// values, a space between the texts of a list.
std::string csv_of(const Table& table);

}  // namespace cubicbench::results
