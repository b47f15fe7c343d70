#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/exhaustive/enumeration.h"
#include "support/json/object_reader.h"

namespace cubicbench::results {

// What the documents of enumerations and of their shards have in common.

/// Writes `scenario` to `rejected_by`.
void write_enumeration_head(const datasets::Enumeration& enumeration,
                            nlohmann::ordered_json& document);
void read_enumeration_head(support::ObjectReader& in, datasets::Enumeration& enumeration);

/// Throws the problem if the document is of another kind: nothing else is worth saying then.
void require_schema(support::ObjectReader& in, std::string_view schema);

nlohmann::ordered_json objective_of_json(const scenarios::Objective& objective);
scenarios::Objective read_objective_of(support::ObjectReader& in);

/// The value of a baseline; null where none is stated.
nlohmann::ordered_json baseline_of_json(const datasets::BaselineRank& baseline);
/// Reads the same; what else the object may have is left to be read. Nothing where it is null.
std::optional<support::ObjectReader> stated_baseline(support::ObjectReader& in,
                                                     datasets::BaselineRank& baseline);

using FailureCounts = std::vector<std::pair<scenarios::Reason, std::uint64_t>>;
nlohmann::ordered_json failures_of_json(const FailureCounts& failures);
/// Of the object `failures`; at most `configurations` in all.
FailureCounts read_failures_of(support::ObjectReader failures, std::uint64_t configurations);

/// Configurations as objects.
nlohmann::ordered_json configs_of_json(const std::vector<datasets::NamedSettings>& configs);
std::vector<datasets::NamedSettings> read_configs(support::ObjectReader& in);

/// A count of up to 2^64 - 1.
std::uint64_t read_count(support::ObjectReader& in, std::string_view key);
/// A finite number, or nothing where it is null or absent.
std::optional<double> optional_number(support::ObjectReader& in, std::string_view key);
/// The other way round; nothing also for what is not finite.
nlohmann::ordered_json number_or_null(std::optional<double> value);

}  // namespace cubicbench::results
