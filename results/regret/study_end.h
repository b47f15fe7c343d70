#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "results/document/table.h"
#include "search/finished/random_curve.h"
#include "search/finished/regret.h"
#include "search/study/study.h"

namespace cubicbench::results {

/// Launches and what they cost.
struct LaunchCount {
  std::int64_t launches = 0;
  double gpu_hours = 0.0;

  LaunchCount& operator+=(const LaunchCount& more) {
    launches += more.launches;
    gpu_hours += more.gpu_hours;
    return *this;
  }
  bool operator==(const LaunchCount&) const = default;
};

/// What a study, or several, launched.
struct StudyTally {
  LaunchCount all;
  LaunchCount failed;
  std::map<scenarios::Reason, LaunchCount> failed_by_reason;  ///< those that occurred
  std::int64_t trials = 0;                                    ///< proposals; retries are none
  /// Proposals of a configuration that the same study had proposed before, at the same fidelity.
  std::int64_t duplicates = 0;
};

/// Every reason why a launch fails, in the order in which tables have them.
inline constexpr std::array<scenarios::Reason, 6> failure_reasons{
    scenarios::Reason::oom_init, scenarios::Reason::oom_late, scenarios::Reason::timeout,
    scenarios::Reason::infra,    scenarios::Reason::numeric,  scenarios::Reason::invalid};

StudyTally tally_of(const search::StudyResult& study);

/// Adds what another study launched. GPU-hours are summed study by study: sums of floats depend on
/// their order.
void add(const StudyTally& tally, StudyTally& sum);

/// {"oom_late": {"launches": 2, "cost_gpu_hours": 0.5}}
Cell failures_cell(const StudyTally& tally);

/// A study after all its launches.
struct StudyEnd {
  const search::StudyResult* study = nullptr;
  StudyTally tally{};
  std::optional<std::size_t> best{};    ///< position of the recommended launch
  std::optional<double> observed{};     ///< its measured value, the mean of several
  std::optional<double> recommended{};  ///< its true value; nothing if it fails
  std::optional<double> gain{};         ///< of that over the baseline's, as a share of it
  std::optional<search::StudyRegret>
      curve{};                     ///< regret after each launch; nothing if it is not known
  std::optional<double> regret{};  ///< the last of the curve
  std::optional<double> observed_regret{};
  std::optional<double> random_regret{};  ///< exact, of random search after as many launches
  /// Is the recommendation within 1 % and 5 % of the optimum's value? Nothing as `regret`.
  std::optional<bool> within_1_percent{};
  std::optional<bool> within_5_percent{};
};

/// What a study's problem is measured by.
struct Yardstick {
  std::optional<double> baseline{};            ///< its true value
  std::optional<search::RegretScale> scale{};  ///< nothing where the optimum is not known
  search::RandomCurve random{};                ///< regrets of random search
};

StudyEnd end_of(const search::StudyResult& study, const Yardstick& yardstick);

/// A study of `search --json` [docs/reference/json-documents.md].
struct SearchedStudy {
  const search::StudySummary* summary = nullptr;
  const StudyEnd* end = nullptr;  ///< null: not known, and its keys are left out
};

/// The keys of the contract, then those of the end, null where something is not known.
std::span<const Field<SearchedStudy>> searched_study_fields();

}  // namespace cubicbench::results
