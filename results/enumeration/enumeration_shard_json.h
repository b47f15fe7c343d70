#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "datasets/exhaustive/enumerate.h"
#include "datasets/exhaustive/shard.h"

namespace cubicbench::results {

/// The document that `enumerate --shard` writes (docs/enumerate.md): schema
/// `cubicbench.enumeration_shard/1`.
nlohmann::ordered_json enumeration_shard_json(const datasets::EnumerationShard& shard);

/// Is this document one? Any JSON may be asked.
bool is_enumeration_shard(const nlohmann::ordered_json& document);

/// Inverse of the first; strict, and only of this program's version. Throws InputError with every
/// problem.
datasets::EnumerationShard enumeration_shard_of(const nlohmann::ordered_json& document,
                                                const std::string& file);

}  // namespace cubicbench::results
