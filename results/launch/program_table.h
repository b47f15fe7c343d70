#pragma once

#include "results/document/table.h"

namespace cubicbench::results {

/// Which settings each program has: a row a setting, a column a launcher. "yes", "in part" (two or
/// more values, or under conditions), "no" (it does as it does), or nothing where it trains no such
/// model.
Table program_table();

}  // namespace cubicbench::results
