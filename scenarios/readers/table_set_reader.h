#pragma once

#include <cstdint>
#include <vector>

#include "sim/workload/recommendation.h"
#include "support/json/object_reader.h"

namespace cubicbench::scenarios {

inline constexpr std::int64_t table_rows_max = 1'000'000'000'000;
inline constexpr std::int64_t dim_max = 65'536;
inline constexpr double pooling_max = 10'000.0;

/// Bytes of an element from "dtype", 0 where there is none.
std::int64_t read_element_bytes(support::ObjectReader& in);

/// Draws the tables of a `table_set`. After a problem there are none.
std::vector<sim::TableGroup> read_table_set(support::ObjectReader in);

}  // namespace cubicbench::scenarios
