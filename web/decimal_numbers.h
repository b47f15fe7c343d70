#pragma once

#include <charconv>

namespace cubicbench::web {

/// What std::to_chars writes of a double, for a library that has it only of integers: the shortest
/// decimal that reads back as `value`, in whichever of both forms is shorter.
std::to_chars_result shortest_decimal(char* first, char* last, double value);

/// The same of a double in that format with that precision.
std::to_chars_result rounded_decimal(char* first, char* last, double value,
                                     std::chars_format format, int precision);

/// What std::from_chars reads of a double. Requires the general or the fixed format.
std::from_chars_result read_decimal(const char* first, const char* last, double& value,
                                    std::chars_format format);

}  // namespace cubicbench::web
