#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace cubicbench::support {

/// As shortened() of input_error.h, but at most `characters_max` characters: for what has its end
/// where the information is.
std::string shortened_to(std::string_view text, std::size_t characters_max);

}  // namespace cubicbench::support
