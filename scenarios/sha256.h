#pragma once

#include <string>
#include <string_view>

namespace cubicbench::scenarios {

/// SHA-256 of the bytes of `text` as 64 lower-case hexadecimal digits [FIPS 180-4, section 6.2].
std::string sha256_hex(std::string_view text);

}  // namespace cubicbench::scenarios
