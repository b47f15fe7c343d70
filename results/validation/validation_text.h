#pragma once

#include <string>

#include "results/validation/summary.h"
#include "results/validation/validated_row.h"

namespace cubicbench::results {

/// What `validate` prints: a line a source and one overall, the verdicts on memory, reasons of
/// skipped rows with their counts, the rows that hung.
std::string validation_text(const Validation& validation, const Summaries& summaries);

}  // namespace cubicbench::results
