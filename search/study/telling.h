#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "scenarios/problem/scenario.h"
#include "scenarios/problem/trial_outcome.h"
#include "search/searchers/searcher.h"

namespace cubicbench::search {

/// What a searcher is told of a failed trial [docs/truth.md].
enum class Telling {
  drop,     ///< nothing at all
  worst,    ///< a complete trial with the worst score so far; as `penalty` before there is one
  penalty,  ///< a complete trial with the score `penalty_score`
  reason,   ///< that it failed, and why
  bytes,    ///< likewise, with the bytes beyond the limit where memory was the reason, and the peak
            ///< of a complete trial
};

/// "drop", "worst", "penalty", "reason", "bytes", in the order of the enum.
std::span<const std::string_view> telling_names();
std::string_view name_of(Telling telling);
/// Throws InputError at `where`.
Telling parse_telling(std::string_view text, const std::string& where);

/// The metric by which a launch that ran out of memory says how far: bytes beyond the limit.
inline constexpr std::string_view over_bytes_metric = "over_bytes";

/// The metric by which a launch that ran says how much memory it took, as every framework prints
/// it.
inline constexpr std::string_view peak_bytes_metric = "peak_bytes";

/// The score of a failure under `penalty`: 0 for a metric that is maximised, a rate that nothing
/// reached; a minimised one counts as 7,200, minus that as a score: a step as long as the longest
/// job of the library's scenarios.
double penalty_score(const scenarios::Objective& objective);

/// Turns the outcomes of one study's trials, in the order in which they end, into what its searcher
/// is told.
class Teller {
 public:
  Teller(Telling telling, const scenarios::Objective& objective)
      : telling_(telling), objective_(objective) {}

  /// Nothing when the searcher is not told of this trial.
  std::optional<ToldTrial> told(std::int64_t trial, const scenarios::Configuration& config,
                                const scenarios::TrialOutcome& outcome);

 private:
  Telling telling_;
  scenarios::Objective objective_;
  std::optional<double> worst_;  ///< lowest score of a complete trial so far
};

}  // namespace cubicbench::search
