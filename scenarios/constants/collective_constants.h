#pragma once

#include <span>
#include <string_view>

#include "sim/hardware/network.h"

namespace cubicbench::scenarios {

/// One number of a file of scenarios/collectives: `name` is TABLE.ENTRY, or ENTRY, and ends in the
/// file's unit.
template <class Costs>
struct CollectiveConstant {
  std::string_view name{};
  double& (*of)(Costs& costs) = nullptr;  ///< the number in the program's unit
  double unit = 1.0;                      ///< of the file, in the program's
  double min = 0.0;                       ///< smallest number that a file may give
  double max = 0.0;
};

/// Of a device generation, in the order of sim::DomainCosts; at most eighteen are not zero.
std::span<const CollectiveConstant<sim::DomainCosts>> domain_constants();
/// Of a fabric and a generation of its library, family by family.
std::span<const CollectiveConstant<sim::FabricCosts>> fabric_constants();

/// Null when there is none of this name.
const CollectiveConstant<sim::DomainCosts>* find_domain_constant(std::string_view name);
const CollectiveConstant<sim::FabricCosts>* find_fabric_constant(std::string_view name);

/// In the file's unit.
template <class Costs>
double value_of(const CollectiveConstant<Costs>& constant, const Costs& costs) {
  Costs copy = costs;
  return constant.of(copy) / constant.unit;
}

/// `value` in the file's unit.
template <class Costs>
void set_value(const CollectiveConstant<Costs>& constant, double value, Costs& costs) {
  constant.of(costs) = value * constant.unit;
}

}  // namespace cubicbench::scenarios
