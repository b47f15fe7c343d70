#pragma once

#include <nlohmann/json_fwd.hpp>

#include "results/document/document.h"
#include "search/verification/verification.h"

namespace cubicbench::results {

/// What `verify --json` prints [docs/reference/json-documents.md].
nlohmann::ordered_json verification_json(const search::Verification& verification);

/// Whether the search is what the simulator answers, and where it is not.
Document verification_document(const search::Verification& verification);

}  // namespace cubicbench::results
