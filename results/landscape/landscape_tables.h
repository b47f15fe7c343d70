#pragma once

#include <string>
#include <vector>

#include "results/landscape/scenario_landscape.h"

namespace cubicbench::results {

/// Cells of a table, the first row its headings; the first column is text, the others numbers.
using LandscapeTable = std::vector<std::vector<std::string>>;

/// Rows by how they end; ends that no row has are left out, "ok" is not.
LandscapeTable status_table(const ScenarioLandscape& of);

/// Quantiles, the baseline, the best drawn and the best known, and what they are over the median.
LandscapeTable value_table(const ScenarioLandscape& of);

/// Parameters, the largest main effect first.
LandscapeTable importance_table(const ScenarioLandscape& of);

/// "llama3-405b, instance 1: 20,000 of 19,614,976 configurations, drawn uniformly. ..."
std::string landscape_headline(const ScenarioLandscape& of);

/// What the baseline's rank is, in a sentence.
std::string baseline_sentence(const ScenarioLandscape& of);

/// What the best known configuration is worth, and what it took to find; without its settings.
std::string best_known_sentence(const ScenarioLandscape& of);

/// The command that simulates it; "" where nothing runs.
std::string best_known_command(const ScenarioLandscape& of);

/// The largest main effect, and whether it is more than half.
std::string importance_sentence(const ScenarioLandscape& of);

}  // namespace cubicbench::results
