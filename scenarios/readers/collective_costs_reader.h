#pragma once

#include <string>
#include <variant>
#include <vector>

#include "scenarios/catalog.h"
#include "sim/hardware/network.h"
#include "support/input_error.h"

namespace cubicbench::scenarios {

/// What the files of scenarios/collectives say: schema `cubicbench.collective_costs/1`, of which
/// `of` "domain" is one device generation and "fabric" one fabric class with one generation of the
/// library. Each table has a source, or each of its numbers. A number that a file leaves out is
/// zero: the library lacks the protocol or the regime. Every problem is added to `problems`; the
/// value returned is then not to be used. Throws InputError only for a text that is no JSON
/// document.
sim::DomainCosts read_domain_costs(const Document& document,
                                   std::vector<support::Problem>& problems);
sim::FabricCosts read_fabric_costs(const Document& document,
                                   std::vector<support::Problem>& problems);

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
