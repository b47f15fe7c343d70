#pragma once

#include <nlohmann/json.hpp>
#include <ostream>

#include "results/document/json.h"

namespace cubicbench::results {

/// How GoogleTest shows a cell that is not what it should be.
inline void PrintTo(const Cell& cell, std::ostream* out) {
  *out << (cell.absent() ? "absent" : json_of(cell).dump());
}

}  // namespace cubicbench::results
