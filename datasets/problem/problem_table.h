#pragma once

#include <string>

#include "datasets/catalog/measured_catalog.h"
#include "scenarios/catalog.h"

namespace cubicbench::datasets {

/// The table that a scenario names: one that ships, with or without .csv, or a file beside that of
/// the scenario. Throws InputError, at `where` for an unknown name.
TableText problem_table(const std::string& path, const scenarios::Document& scenario,
                        const std::string& where);

}  // namespace cubicbench::datasets
