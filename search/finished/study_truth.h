#pragma once

#include <optional>
#include <string>
#include <vector>

#include "search/finished/study_set.h"

namespace cubicbench::search {

/// The configuration that a launch's settings, as `--set` takes them, mean; nothing where the space
/// has none such.
std::optional<scenarios::Configuration> configuration_of(const ConfigText& config,
                                                         const scenarios::Scenario& scenario);

/// What each launch of the study is worth without noise, in their order; nothing where that is not
/// known. It is what the study's truth file says. A table of runs has no such file: the worth of a
/// configuration is the mean over its runs that ended (TrueValues), known where the table ships.
std::vector<std::optional<scenarios::TrueValue>> launch_truths(const StudyResult& study);

/// The baseline of the scenario that a study searched, as far as this version knows it.
struct Baseline {
  std::optional<double> value;  ///< true value
  ConfigText settings{};        ///< as `--set` takes them
  std::string note{};           ///< what is not known and why; empty when all is known
};

/// Looked up in the library: unknown when the scenario is not there or is another than the one that
/// was searched (scenario_sha256); its value also when trials really ran or the simulator has
/// changed since (truth_sha256). A table of runs has none.
Baseline baseline_of(const StudyResult& study);

/// What the objective measures: "median tokens/s", "P90 step time (s)"; of a study of a table of
/// runs, which have one value each, without a percentile.
std::string measure_of(const scenarios::Objective& objective);
std::string measure_of(const StudyResult& study);

}  // namespace cubicbench::search
