#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "results/comparison/paired_scores.h"

namespace cubicbench::results {

/// What `compare` names a reference by: "reference:SEARCHER", or "reference:./FILE.json".
inline constexpr std::string_view reference_prefix = "reference:";

bool is_reference(std::string_view name);

/// The studies of one searcher in compact form (schema cubicbench.reference/1): five numbers per
/// study, from which compare() says the same as from their journals, bit for bit.
std::string reference_text(const ComparedSide& side);

/// The reference of that name: one that ships, or with a '/' a file. Throws InputError for an
/// unknown name and with every problem of a file.
ComparedSide read_reference(const std::string& name);

/// The references that ship of studies that began as `start` says, "baseline" or "none", by name.
std::vector<ComparedSide> shipped_references(std::string_view start);

}  // namespace cubicbench::results
