#pragma once

#include <string_view>
#include <vector>

#include "scenarios/problem/scenario.h"
#include "support/json/object_reader.h"

namespace cubicbench::datasets {

inline constexpr std::string_view scenario_schema = "cubicbench.scenario/1";

/// Reads what every scenario with a table begins with: `schema`, `version`, `name` and `summary`.
void read_problem_head(support::ObjectReader& in, scenarios::Scenario& scenario,
                       std::vector<support::Problem>& problems);

/// Reads `budget`, which may be missing.
void read_problem_budget(support::ObjectReader& in, scenarios::Scenario& scenario);

}  // namespace cubicbench::datasets
