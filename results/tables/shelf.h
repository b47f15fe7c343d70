#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "results/document/document.h"

namespace cubicbench::results {

/// What ships with this version, by kind.
inline constexpr std::array<std::string_view, 9> shelves{"scenarios", "families",   "suites",
                                                         "searchers", "predictors", "devices",
                                                         "networks",  "stacks",     "datasets"};

/// Everything on a shelf, a row each. Requires one of `shelves`.
Document shelf_document(std::string_view shelf);

/// The document of `list --json` [docs/reference/json-documents.md].
nlohmann::ordered_json shelf_json(std::string_view shelf);

}  // namespace cubicbench::results
