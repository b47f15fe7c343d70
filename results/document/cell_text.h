#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "results/document/table.h"

namespace cubicbench::results {

/// How closely numbers are written: a terminal has 80 columns.
enum class Spacing {
  roomy,    ///< "4.1 %", an en dash for what is not known
  compact,  ///< "4.1%", "41%", "-"
  csv,      ///< for programs: nothing for what is not known, 1 and 0 for truth values
};

/// `cell` as it is read in a column shown as `show`. "" where it is absent.
std::string cell_text(const Cell& cell, Show show, Spacing spacing);

/// A column's heading with its unit: "size (bytes)".
std::string heading_text(const Column& column);

/// Places of the columns that people see: those with a heading.
std::vector<std::size_t> shown_columns(const Table& table);

/// "+3.2 %", "-0.4 %".
std::string signed_percent(double share);

}  // namespace cubicbench::results
