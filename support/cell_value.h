#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cubicbench::support {

/// Reads the text of a cell that is not empty. Returns what was expected when it is not of that
/// kind, and "" when it is: a count is an integer from 1 (`16` or `16.0`, not `1e3` or `+16`), a
/// quantity a finite number above zero.
std::string set_cell_value(std::string_view text, std::string& value);
std::string set_cell_value(std::string_view text, std::optional<std::int64_t>& value);
std::string set_cell_value(std::string_view text, std::optional<double>& value);

}  // namespace cubicbench::support
