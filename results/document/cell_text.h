#pragma once

#include <string>

#include "results/document/table.h"

namespace cubicbench::results {

/// How closely numbers are written: a terminal has 80 columns.
enum class Spacing {
  roomy,    ///< "4.1 %", an en dash for what is not known
  compact,  ///< "4.1%", "41%", "-"
};

/// `cell` as people read it in a column shown as `show`. "" where it is absent.
std::string cell_text(const Cell& cell, Show show, Spacing spacing);

/// "+3.2 %", "-0.4 %".
std::string signed_percent(double share);

}  // namespace cubicbench::results
