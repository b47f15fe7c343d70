#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cubicbench::support {

/// The whole text as a decimal number, with or without an exponent; nothing otherwise.
std::optional<double> number_of(std::string_view text);

/// The whole text as an integer: `16` and `16.0` are one, `16.5`, `1e3` and `+16` are none.
std::optional<std::int64_t> integer_of(std::string_view text);

/// Reads the text of a cell that is not empty. Returns what was expected when it is not of that
/// kind, and "" when it is: a count is an integer from 1, a quantity a finite number above zero.
std::string set_cell_value(std::string_view text, std::string& value);
std::string set_cell_value(std::string_view text, std::optional<std::int64_t>& value);
std::string set_cell_value(std::string_view text, std::optional<double>& value);

}  // namespace cubicbench::support
