#pragma once

#include <cstdint>
#include <optional>

#include "scenarios/family/ladder.h"
#include "scenarios/truth/instance.h"

namespace cubicbench::datasets {

/// The configuration that an expert's rule leads to.
struct FoundBaseline {
  scenarios::Configuration configuration;
  double value = 0.0;
  std::int64_t launches = 0;  ///< different configurations of the space that the rule tried
};

/// Tries what the ladder names until something runs, in at least nine launches of ten, then raises
/// the settings that are to grow, as long as that runs and gets better; values that a constraint
/// rejects are passed over. Nothing where no step of the ladder runs.
std::optional<FoundBaseline> baseline_by_rule(const scenarios::Ladder& ladder,
                                              const scenarios::Instance& instance);

}  // namespace cubicbench::datasets
