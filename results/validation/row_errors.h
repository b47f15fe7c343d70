#pragma once

#include <optional>
#include <vector>

#include "results/validation/validated_row.h"

namespace cubicbench::results {

/// What the figures and tables of a validation say of one row, and nothing where it is not timed.

/// Simulated over measured step time: 1 is right, below 1 the simulator is too fast.
std::optional<double> time_ratio(const ValidatedRow& row);
/// How far off the simulated step time is, either way: 2 is twice or half the measured one.
std::optional<double> time_factor(const ValidatedRow& row);
/// |simulated - measured| / measured peak memory, of runs that did not run out of it.
std::optional<double> memory_error(const ValidatedRow& row);
/// Whether the simulator says that the row runs out of memory.
bool says_oom(const ValidatedRow& row);

/// Absolute relative errors of the step time of those rows that have one.
std::vector<double> time_errors(const std::vector<const ValidatedRow*>& rows);

/// Rows by source, in the order in which the sources first appear.
struct SourceRows {
  std::string source;
  RowKind kind = RowKind::run;  ///< of the first row
  std::vector<const ValidatedRow*> rows;
};
std::vector<SourceRows> by_source(const Validation& validation);

}  // namespace cubicbench::results
