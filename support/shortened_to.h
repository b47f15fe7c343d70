#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::support {

/// As shortened() of input_error.h, but at most `characters_max` characters: for what has its end
/// where the information is.
std::string shortened_to(std::string_view text, std::size_t characters_max);

/// What a program prints of so many problems, a line each: the first twenty within 4 kB, each of
/// at most 900 characters, and how many are left out; `others_dropped` where that is not known.
std::string message_of(const std::vector<std::string>& lines, bool others_dropped = false);

}  // namespace cubicbench::support
