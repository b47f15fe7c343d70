#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "scenarios/problem/scenario.h"
#include "support/json/object_reader.h"

namespace cubicbench::scenarios {

/// Reads `metric`, `percentile`, `direction` and, where it is there, `deadline` with its `tokens`
/// and `days`; call `finish()` afterwards. Without `otherwise` the first three are required. With
/// it, metric and percentile that are absent are its own, and a direction that is absent is the
/// natural one of the metric: less of a time, more of everything else.
///
/// The objective of a table of trials has a `column` and a `direction`, both required, in place of
/// the rest.
Objective read_objective(support::ObjectReader& in, const std::optional<Objective>& otherwise = {});

/// What read_objective() reads.
nlohmann::ordered_json objective_json(const Objective& objective);

}  // namespace cubicbench::scenarios
