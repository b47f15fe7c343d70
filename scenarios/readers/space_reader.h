#pragma once

#include <vector>

#include "scenarios/space/search_space.h"
#include "sim/plan/plan.h"
#include "support/json/object_reader.h"

namespace cubicbench::scenarios {

/// Reads the values of an object of settings (`settings`, `baseline`), in the file's order.
/// Unknown settings, those that do not belong to `kind`, and values of another type are added to
/// the reader's problems.
std::vector<Assignment> read_assignments(support::ObjectReader& in, WorkloadKind kind);

/// Reads a scenario's `space`. Problems are added to the reader's; the space may then not be used.
SearchSpace read_space(support::ObjectReader& in, const sim::Plan& base, const SpaceFacts& facts);

}  // namespace cubicbench::scenarios
