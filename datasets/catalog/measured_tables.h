#pragma once

#include <span>
#include <string>
#include <vector>

#include "datasets/catalog/measured_table.h"

namespace cubicbench::datasets {

/// The tables of these files and names, each a table for each kind of rows in it; where none is
/// given, all measured tables that ship. Throws InputError with everything that is wrong: at
/// `where` for unknown names, a table without rows, two of one name, as sources are told apart by
/// it.
std::vector<MeasuredTable> find_measured_tables(std::span<const std::string> names_or_paths,
                                                const std::string& where);

}  // namespace cubicbench::datasets
