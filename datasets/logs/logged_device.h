#pragma once

#include <optional>
#include <string_view>

namespace cubicbench::datasets {

/// The device of the library that a driver's name of a GPU stands for, such as "NVIDIA H100 80GB
/// HBM3"; "" for others. `memory_gib` tells GPUs of one name apart.
std::string_view device_of_driver_name(std::string_view name,
                                       std::optional<double> memory_gib = std::nullopt);

}  // namespace cubicbench::datasets
