#pragma once

#include <span>
#include <string_view>

#include "scenarios/constants/constants.h"
#include "sim/hardware/network.h"

namespace cubicbench::scenarios {

/// One number of a file of scenarios/collectives.
template <class Costs>
using CollectiveConstant = Constant<Costs>;

/// Of a device generation, in the order of sim::DomainCosts; at most eighteen are not zero.
std::span<const CollectiveConstant<sim::DomainCosts>> domain_constants();
/// Of a fabric and a generation of its library, family by family.
std::span<const CollectiveConstant<sim::FabricCosts>> fabric_constants();

/// Null when there is none of this name.
const CollectiveConstant<sim::DomainCosts>* find_domain_constant(std::string_view name);
const CollectiveConstant<sim::FabricCosts>* find_fabric_constant(std::string_view name);

}  // namespace cubicbench::scenarios
