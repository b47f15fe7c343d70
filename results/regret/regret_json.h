#pragma once

#include <nlohmann/json_fwd.hpp>

#include "results/regret/group_regret.h"
#include "results/regret/known_spaces.h"
#include "results/studies/searcher_curves.h"
#include "results/studies/study_set.h"

namespace cubicbench::results {

/// A study's end as keys behind those of `search --json`: `failures` (by reason that occurred:
/// `launches`, `cost_gpu_hours`), `duplicates`, `true_value` of the recommendation,
/// `gain_over_baseline`, `regret`, `observed_regret`, `random_regret`; null what is not known.
nlohmann::ordered_json study_end_json(const StudyEnd& end);

/// Every scenario and instance of the set: what was searched, where its optimum comes from or why
/// it is not known (`optimum`: `note`, `value`, `median`), and for each series its seeds together,
/// with `mean`, `low` and `high` (quartiles) of what has a number a seed.
nlohmann::ordered_json regret_json(const StudySet& set, const KnownSpaces& spaces,
                                   const CurveOptions& options);

}  // namespace cubicbench::results
