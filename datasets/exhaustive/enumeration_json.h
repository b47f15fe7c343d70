#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "datasets/exhaustive/enumeration.h"
#include "datasets/exhaustive/shard.h"

namespace cubicbench::datasets {

/// The document that `enumerate` writes [docs/reference/json-documents.md; docs/enumerate.md]:
/// schema `cubicbench.enumeration/1`. Where not all configurations were valued, `failures`,
/// `quantiles`, `best_of_k` and `share_better` are null; a bound that says nothing is null, too.
nlohmann::ordered_json enumeration_json(const Enumeration& enumeration);

/// What such a document says; `file` is what messages call it. Strict: unknown keys and numbers
/// that contradict each other (quantiles that descend, more failures than configurations, ...) are
/// problems. The version is not judged. Throws InputError with every problem.
Enumeration enumeration_of(const nlohmann::ordered_json& document, const std::string& file);

/// The same of a file, a path.
Enumeration read_enumeration(const std::string& path);

/// The document that `enumerate --shard` writes (docs/enumerate.md): schema
/// `cubicbench.enumeration_shard/1`.
nlohmann::ordered_json enumeration_shard_json(const EnumerationShard& shard);

/// What such a document says: strict, and only of this program's version. Throws InputError with
/// every problem.
EnumerationShard enumeration_shard_of(const nlohmann::ordered_json& document,
                                      const std::string& file);

}  // namespace cubicbench::datasets
