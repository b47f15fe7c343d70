#pragma once

#include <array>
#include <cstdint>

#include "sim/base/units.h"
#include "sim/plan/plan.h"

namespace cubicbench::sim {

/// What the halves of a recommendation model's step read of a plan: plans of one key have one half.
using DenseKey = std::array<std::uint64_t, 4>;
using TableKey = std::array<std::uint64_t, 5>;

/// All that lower_dense, dense_cost and check_dense read. Requires whole numbers in [0, 2^32), far
/// beyond what a scenario can say.
DenseKey dense_key(const Plan& plan);

/// All that lower_tables, table_time and check_tables read, the same way.
TableKey table_key(const Plan& plan, Bytes resident);

}  // namespace cubicbench::sim
