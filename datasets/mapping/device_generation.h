#pragma once

#include <string_view>

namespace cubicbench::datasets {

/// "Volta", "Ampere", "Hopper", "Blackwell" of devices of the library that are NVIDIA's, else the
/// device itself.
std::string_view generation_of(std::string_view device);

}  // namespace cubicbench::datasets
