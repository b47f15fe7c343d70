#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cubicbench::scenarios {

enum class TrialState { complete, fail, pruned };

/// Why a launch failed [docs/reference/search-folder.md]. `invalid`, both kinds of `oom` and
/// `numeric` are properties of the configuration; `infra`, and `timeout` by hanging, of the
/// attempt.
enum class Reason { none, invalid, oom_init, oom_late, timeout, infra, numeric };

/// What one launch of a configuration came to: all that a user of a real cluster would learn.
struct TrialOutcome {
  TrialState state = TrialState::complete;
  Reason reason = Reason::none;
  std::optional<double> value;  ///< of the objective's metric; present exactly when complete
  std::vector<std::pair<std::string, double>> metrics;  ///< names end in their unit
  double cost_gpu_hours = 0.0;                          ///< until the end or the failure
  double duration_h = 0.0;                              ///< likewise, on the cluster's clock
};

/// "complete", "fail", "pruned".
std::string_view name_of(TrialState state);
/// "invalid", "oom_init", ...; "" for none.
std::string_view name_of(Reason reason);
std::optional<TrialState> trial_state_of(std::string_view name);
std::optional<Reason> reason_of(std::string_view name);

/// The metric `name`, if the outcome has it.
std::optional<double> metric_of(const TrialOutcome& outcome, std::string_view name);

/// What really happened to each configuration of a scenario whose space is a table of runs.
struct MeasuredOutcomes {
  /// By the configuration's number: its runs in the order of the file. No entry is empty.
  std::vector<std::vector<TrialOutcome>> of_configuration;

  /// What launch `attempt` of one, from 0, comes to: after the last run the first again.
  const TrialOutcome& run(std::uint64_t configuration, std::int64_t attempt) const {
    const std::vector<TrialOutcome>& runs = of_configuration[configuration];
    return runs[static_cast<std::size_t>(attempt) % runs.size()];
  }
};

}  // namespace cubicbench::scenarios
