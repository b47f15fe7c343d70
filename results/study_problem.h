#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/study_set.h"
#include "scenarios/scenario.h"

namespace cubicbench::results {

/// What a study was about, as far as this program knows its scenario.
struct StudyProblem {
  scenarios::Objective objective;
  std::string label = "objective";       ///< what it measures: "90th-percentile samples/s"
  std::optional<double> baseline_value;  ///< true value of the baseline; nothing if unknown
  /// The baseline's settings as `--set` takes them; empty if unknown.
  std::vector<std::pair<std::string, std::string>> baseline;
  std::string note;  ///< what is not known and why, a sentence; empty when all is known
};

/// Looks the scenario up in the library. If it is not there, or is another than the one that was
/// searched (scenario_sha256), the baseline is unknown; the objective is then that of the library's
/// scenario of this name, else one that is maximised.
StudyProblem problem_of(const StudyResult& study);

/// What the objective measures: "90th-percentile samples/s".
std::string label_of(const scenarios::Objective& objective);

}  // namespace cubicbench::results
