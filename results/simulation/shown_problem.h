#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "scenarios/problem/scenario.h"

namespace cubicbench::results {

// How people and files see what a scenario asks for, and configurations of its space.

/// "2.433 M tokens/s", "4.128 s a step", "0.9853 val_bpb": a value of what is judged by.
std::string metric_text(const scenarios::Objective& objective, double value);

/// "the median", "P90".
std::string percentile_text(double percentile);

/// "2.000 T tokens in 30 days".
std::string deadline_text(const scenarios::Deadline& deadline);

/// "Objective: maximize tokens_per_s, the median over the steps of a run, without noise."; of a
/// table of runs its values are means of what was measured.
std::string objective_sentence(const scenarios::Objective& objective, bool measured = false);

/// Settings by their names.
nlohmann::ordered_json config_json(std::span<const scenarios::Assignment> config);

}  // namespace cubicbench::results
