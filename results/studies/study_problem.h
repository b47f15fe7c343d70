#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/studies/study_set.h"
#include "scenarios/problem/scenario.h"

namespace cubicbench::results {

/// What a study was about.
struct StudyProblem {
  scenarios::Objective objective;
  std::string label = "objective";  ///< what it measures: "90th-percentile samples/s"
  bool real = false;                ///< trials really ran, so that no value is known without noise
  bool table = false;               ///< in a table that was played, so that nothing is simulated
  std::optional<double> baseline_value;  ///< true value of the baseline; nothing if unknown
  /// The baseline's settings as `--set` takes them; empty if unknown.
  std::vector<std::pair<std::string, std::string>> baseline;
  std::string note;  ///< what is not known and why, a sentence; empty when all is known
};

/// The objective is the study's own. The baseline is looked up in the library: it is unknown when
/// the scenario is not there or is another than the one that was searched (scenario_sha256), and
/// its value also when trials really ran or the simulator has changed since (truth_sha256). A table
/// has none.
StudyProblem problem_of(const StudyResult& study);

/// What the objective measures: "90th-percentile samples/s".
std::string label_of(const scenarios::Objective& objective);

}  // namespace cubicbench::results
