#pragma once

#include <span>
#include <string>
#include <vector>

namespace cubicbench::results {

/// Rows of as many cells each in aligned columns, two spaces apart: the first to the left, the
/// others, which are numbers, to the right. No trailing spaces.
std::string columns_text(std::span<const std::vector<std::string>> rows);

}  // namespace cubicbench::results
