#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "results/studies/study_set.h"
#include "scenarios/problem/trial_outcome.h"

namespace cubicbench::results {

/// Launches and what they cost.
struct LaunchCount {
  std::int64_t launches = 0;
  double gpu_hours = 0.0;

  bool operator==(const LaunchCount&) const = default;
};

/// What studies launched, failures told apart.
struct StudyTally {
  LaunchCount all;
  LaunchCount failed;
  std::map<scenarios::Reason, LaunchCount> failed_by_reason;  ///< those that occurred
  std::int64_t trials = 0;                                    ///< proposals; retries are none
  /// Proposals of a configuration that the same study had proposed before.
  std::int64_t duplicates = 0;

  bool operator==(const StudyTally&) const = default;
};

/// Every reason why a launch fails, in the order in which tables have them.
inline constexpr std::array<scenarios::Reason, 6> failure_reasons{
    scenarios::Reason::oom_init, scenarios::Reason::oom_late, scenarios::Reason::timeout,
    scenarios::Reason::infra,    scenarios::Reason::numeric,  scenarios::Reason::invalid};

StudyTally tally_of(const StudyResult& study);

/// Adds what another study launched.
void add(const StudyTally& tally, StudyTally& sum);

}  // namespace cubicbench::results
