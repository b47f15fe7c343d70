#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"

namespace cubicbench::sim {

/// What a step runs on.
struct Machine {
  Cluster cluster;
  Stack stack;

  bool operator==(const Machine&) const = default;
};

/// A constant that nobody can look up for the very cluster at hand, and how far measurements of
/// like clusters lie apart: an instance multiplies it by a uniform factor.
struct HiddenConstant {
  std::string_view name;
  double& (*of)(Machine&);
  double factor_min = 1.0;
  double factor_max = 1.0;
  double legal_min = 0.0;  ///< the product is clamped to [legal_min, legal_max]
  double legal_max = 0.0;
  std::string_view source;  ///< of the spread
};

/// In an order that never changes: the row is the `entity` of its random number.
std::span<const HiddenConstant> hidden_constants();

/// `nominal` with the hidden constants of instance `number`, drawn under `seed`; number 0 is
/// `nominal` to the bit. Constants are independent of each other.
Machine machine_of_instance(const Machine& nominal, std::uint64_t number, std::uint64_t seed);

}  // namespace cubicbench::sim
