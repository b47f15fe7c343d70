#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "scenarios/catalog.h"
#include "scenarios/problem/scenario.h"

namespace cubicbench::datasets {

/// Has the scenario a table of trials, one with "knobs", and neither a model nor a table of
/// training runs?
bool has_trials(const nlohmann::ordered_json& scenario);

/// Reads a scenario that is a table of finished trials: any columns are its knobs,
/// any column is its objective, and nothing is known of a model or a cluster
/// [docs/scenarios.md]. The space is the set of the rows that `where` admits, as that of a table of
/// runs; repeated rows of one configuration are its attempts. Throws InputError with every problem,
/// and where `sets` are given, as there is nothing to set.
scenarios::Scenario read_trial_scenario(scenarios::Document document,
                                        const nlohmann::ordered_json& json,
                                        std::span<const std::string> sets);

}  // namespace cubicbench::datasets
