#pragma once

#include <string>

#include "results/document/figure.h"
#include "results/validation/validated_row.h"

namespace cubicbench::results {

/// Simulated over measured time of collectives by size: a line an operation, the median of sizes
/// up to twice as large. `name` prefixes the SVG's ids.
Figure collective_figure(const Validation& validation, const std::string& name);

/// Its lines: collective, size_bytes, rows, ratio_q25, ratio_median, ratio_q75.
std::string collective_csv(const Validation& validation);

}  // namespace cubicbench::results
