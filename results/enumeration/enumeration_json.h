#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "datasets/exhaustive/enumeration.h"

namespace cubicbench::results {

/// The document that `enumerate` writes [contracts.md, section 6; docs/enumerate.md]: schema
/// `cubicbench.enumeration/1`. Where not all configurations were valued, `failures`, `quantiles`,
/// `best_of_k` and `share_better` are null; a bound that says nothing is null, too.
nlohmann::ordered_json enumeration_json(const datasets::Enumeration& enumeration);

/// What such a document says; `file` is what messages call it. Strict: keys nobody knows, numbers
/// that contradict each other (quantiles that descend, more failures than configurations, ...) are
/// problems. The version is not judged. Throws InputError with every problem.
datasets::Enumeration enumeration_of(const nlohmann::ordered_json& document,
                                     const std::string& file);

/// The same of a file, a path.
datasets::Enumeration read_enumeration(const std::string& path);

}  // namespace cubicbench::results
