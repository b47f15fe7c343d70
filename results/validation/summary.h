#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/validation/validated_row.h"

namespace cubicbench::results {

/// Simulated verdicts against measured ones; positive is out of memory.
struct OomSummary {
  std::int64_t tp = 0, fp = 0, tn = 0, fn = 0;
  std::optional<double> balanced_accuracy, auroc;  ///< of demand over limit
  std::optional<double> ladder_edges;
};

/// Absolute relative errors of one quantity.
struct ErrorSummary {
  std::int64_t n = 0;
  std::optional<double> median, p90;
};

/// The figures of one set of rows [contracts.md, section 7]. Nothing where there are no rows.
struct Summary {
  std::int64_t n = 0;  ///< timed rows
  std::optional<double> coverage;
  std::int64_t families = 0;
  std::optional<double> median_abs_rel_error, mean_abs_rel_error, p90_abs_rel_error;
  std::optional<double> bias;  ///< median of rel_error
  std::optional<double> median_family_abs_rel_error, median_source_abs_rel_error;
  std::optional<double> family_kendall_median;
  std::int64_t families_ranked = 0;  ///< groups of five or more timed rows
  std::optional<double> pair_kendall_5pct, group_top1_share, group_top1_ratio;
  OomSummary oom;
  ErrorSummary memory, static_state;
  std::int64_t hung = 0;  ///< timed rows that is_hung() holds for
  /// Collectives only: of "<1MiB", "1-64MiB", ">=64MiB", over groups.
  std::map<std::string, double> by_size, by_size_p90;
};

struct Summaries {
  Summary overall;
  Summary runs, collectives;  ///< of training runs (recommendation results too), of the others
  std::map<std::string, Summary> sources;  ///< by file stem
  std::map<std::string, Summary> parts;
  std::map<std::string, Summary> families;
};

Summaries summaries_of(const Validation& validation);

}  // namespace cubicbench::results
