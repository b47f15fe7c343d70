#pragma once

#include "cli/requests/comparison_request.h"
#include "results/comparison/comparison.h"

namespace cubicbench::cli {

/// The comparison that is asked for, once its sides are there: --run makes the candidate's folder
/// first, with --until-decided in rounds of seeds. Throws InputError, and OutputError where the
/// command fails.
results::Comparison compared(const ComparisonRequest& asked);

}  // namespace cubicbench::cli
