#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "datasets/families/baseline_rule.h"
#include "datasets/families/trivial_orders.h"
#include "scenarios/family/family.h"
#include "scenarios/problem/scenario.h"

namespace cubicbench::datasets {

/// Why a draw is no member, in the order in which it is looked at.
enum class Refusal {
  space,       ///< the space is too small or too large, or the budget is more than a tenth of it
  baseline,    ///< nothing that the rule names runs
  runs,        ///< too few configurations run, or too many
  percentile,  ///< the baseline is too bad or too good among what runs
  gain,        ///< the optimum is too near the baseline, or too far
  order        ///< an order that looks at nothing closes more of the gap than random search
};

inline constexpr std::array<std::string_view, 6> refusal_names{"space",      "baseline", "runs",
                                                               "percentile", "gain",     "order"};

/// What is known of a draw. Shares are those of a sample, the optimum is the best that climbs of up
/// to two knobs reach from the baseline and the best of the sample.
struct MemberProperties {
  std::uint64_t configurations = 0;
  double runs = 0.0;               ///< share of configurations
  double percentile = 0.0;         ///< of the baseline among what runs
  double gain = 0.0;               ///< best known over baseline; the inverse where less is better
  std::int64_t rule_launches = 0;  ///< configurations that the rule tried
  double random = 0.0;             ///< share of the gap that random search closes, expected
  TrivialOrders orders;            ///< likewise
};

/// A draw that was looked at: what was refused has the properties that were looked at before.
struct JudgedDraw {
  std::optional<Refusal> refusal;
  MemberProperties properties;
  std::optional<FoundBaseline> baseline;
  std::uint64_t best_known = 0;  ///< the number of a configuration
  double best_value = 0.0;
  std::vector<double> running;  ///< values of the sample that run, the best first
};

/// Judges a draw, whose baseline `ladder` has to find, on instance 0 and up to `threads` threads
/// (0: all cores). The estimates keep a margin inside the family's limits, so that what is counted
/// exactly later lies within them.
JudgedDraw judge_draw(const scenarios::Scenario& draft, const scenarios::Ladder& ladder,
                      const scenarios::Acceptance& accept, int threads);

}  // namespace cubicbench::datasets
