#pragma once

#include <span>

#include "datasets/validation/crossovers.h"
#include "datasets/validation/oom_verdicts.h"
#include "datasets/validation/rank_agreement.h"
#include "datasets/validation/validated_row.h"
#include "results/document/table.h"

namespace cubicbench::results {

using datasets::Crossover;
using datasets::MemoryLadder;
using datasets::RankedGroup;
using datasets::ValidatedRow;

/// A row beside what the simulator says of it, as `validate --json` and rows.csv have it.
std::span<const Field<ValidatedRow>> row_fields();
/// Of a row that cannot be simulated.
std::span<const Field<ValidatedRow>> skipped_fields();

// What several rows come to together.

std::span<const Field<RankedGroup>> group_fields();
std::span<const Field<MemoryLadder>> ladder_fields();
std::span<const Field<Crossover>> crossover_fields();

}  // namespace cubicbench::results
