#pragma once

#include <ostream>

#include "results/document/cell_text.h"

namespace cubicbench::results {

/// How GoogleTest shows a cell that is not what it should be.
inline void PrintTo(const Cell& cell, std::ostream* out) {
  *out << cell_text(cell, Show::plain, Spacing::compact);
}

}  // namespace cubicbench::results
