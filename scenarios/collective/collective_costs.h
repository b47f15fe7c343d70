#pragma once

#include <string>
#include <variant>
#include <vector>

#include "scenarios/readers/library_entry.h"
#include "sim/hardware/network.h"
#include "support/input_error.h"

namespace cubicbench::scenarios {

/// What a file of scenarios/collectives is of: one device generation, or one fabric class with one
/// generation of the library.
using CollectiveCosts = std::variant<sim::DomainCosts, sim::FabricCosts>;

/// Either kind of file, by what it says that it is `of`; a domain's where it says neither, which is
/// a problem. Problems and errors as of read_domain_costs().
CollectiveCosts read_collective_costs(const Document& document,
                                      std::vector<support::Problem>& problems);

/// Every number that such a file may give, of scenarios/constants/collective_constants.h.
std::vector<std::string> constant_names(const CollectiveCosts& costs);

}  // namespace cubicbench::scenarios
