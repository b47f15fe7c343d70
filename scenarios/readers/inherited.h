#pragma once

#include <nlohmann/json_fwd.hpp>

#include "scenarios/catalog.h"

namespace cubicbench::scenarios {

/// The description `document` with what its `base` says, and what that one's says, where it is
/// silent itself: a name on the shelf of `kind`, or a path relative to the file. Tables (`sources`,
/// `fused`) are joined entry by entry. Throws InputError for a text that is no JSON document, a
/// base that is not found, and descriptions that inherit from each other in a circle.
nlohmann::ordered_json with_inherited(const Document& document, Kind kind);

}  // namespace cubicbench::scenarios
