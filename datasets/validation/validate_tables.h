#pragma once

#include <set>
#include <span>
#include <vector>

#include "datasets/catalog/measured_table.h"
#include "datasets/validation/validate_row.h"
#include "datasets/validation/validated_row.h"

namespace cubicbench::datasets {

/// Which qualities are wanted. Rows of quality ok and early_pp always are; those of flag and
/// untuned where they are named.
struct WantedRows {
  std::set<MeasurementQuality> qualities{MeasurementQuality::ok, MeasurementQuality::early_pp};
};

/// One per row. An operation in place is a duplicate where the same was measured out of place, a
/// recommendation result where it was carried over from an earlier round. Collectives that no
/// simulation is asked for are not wanted, see is_wanted().
std::vector<Exclusion> exclusions_of(const MeasuredTable& table, const WantedRows& wanted);

/// Maps and simulates every row, runs as `played` says. A run of quality early_pp is never timed. A
/// run that the simulator cannot lay out is skipped with its reason.
///
/// The batch is the one that is simulated: the stated global batch, or replicas x micro-batch x
/// accumulation where none is stated or the replicas' micro-batches do not divide it (`assumed`
/// names global_batch). A measured step time that follows from a rate is that of this batch; a
/// stated one is taken as it is. Tables of one file, which stand side by
/// side, hold its rows by kind; the answer has them in the file's order. Runs on up to `threads`
/// threads (0: all cores), which change no bit.
Validation validate_tables(std::span<const MeasuredTable> tables, const WantedRows& wanted,
                           int threads = 0, const Played& played = {});

}  // namespace cubicbench::datasets
