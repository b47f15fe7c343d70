#pragma once

#include <nlohmann/json_fwd.hpp>

#include "results/validation/summary.h"
#include "results/validation/validated_row.h"

namespace cubicbench::results {

/// The document of `validate --json` [contracts.md, section 7].
nlohmann::ordered_json validation_json(const Validation& validation, const Summaries& summaries);

}  // namespace cubicbench::results
