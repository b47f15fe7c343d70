#pragma once

#include <vector>

#include "scenarios/readers/library_entry.h"
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

}  // namespace cubicbench::scenarios
