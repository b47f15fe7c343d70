#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "datasets/validation/oom_verdicts.h"
#include "datasets/validation/rank_agreement.h"
#include "datasets/validation/validated_row.h"

namespace cubicbench::results {

using datasets::RowPointers;
using datasets::RowSpan;
using datasets::ValidatedRow;
using datasets::Validation;

/// Absolute relative errors of one quantity.
struct ErrorSummary {
  std::int64_t n = 0;
  std::optional<double> median, p90;
};

/// The figures of one set of rows [docs/reference/json-documents.md]. Nothing where there are no
/// rows. summary_fields() lists what is shown of it.
struct Summary {
  bool has_runs = false, has_collectives = false;  ///< among rows and skipped ones
  std::int64_t rows = 0, skipped = 0;              ///< that were simulated, that cannot be
  std::int64_t n = 0;                              ///< timed rows
  std::optional<double> coverage;
  std::int64_t families = 0;
  std::optional<double> median_abs_rel_error, mean_abs_rel_error, p90_abs_rel_error;
  std::optional<double> bias;  ///< median of rel_error
  std::optional<double> median_family_abs_rel_error, median_source_abs_rel_error;
  datasets::RankAgreement ranks;
  datasets::OomSummary oom;
  ErrorSummary memory, static_state;
  std::int64_t hung = 0;  ///< timed rows that is_hung() holds for
  /// Of collectives below 1 MiB, from there to 64 MiB, and from there on: latency, the way between,
  /// bandwidth. Over groups (system, collective, n_gpus) of the group's median error, so that a
  /// long sweep weighs as much as a short one.
  std::array<ErrorSummary, 3> by_size;

  bool has_sizes() const;
};

struct Summaries {
  Summary overall;
  Summary runs, collectives;  ///< of training runs (recommendation results too), of the others
  std::map<std::string, Summary> sources;  ///< by file stem
  std::map<std::string, Summary> parts;
  std::map<std::string, Summary> families;
};

Summaries summaries_of(const Validation& validation);
/// Of wanted rows, those with a reason being skipped.
Summary summary_of(RowSpan wanted);

}  // namespace cubicbench::results
