#pragma once

#include <span>

#include "results/document/table.h"
#include "results/validation/validated_row.h"

namespace cubicbench::results {

/// A row beside what the simulator says of it, as `validate --json` and rows.csv have it.
std::span<const Field<ValidatedRow>> row_fields();
/// Of a row that cannot be simulated.
std::span<const Field<ValidatedRow>> skipped_fields();

}  // namespace cubicbench::results
