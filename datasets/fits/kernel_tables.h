#pragma once

#include <span>
#include <string_view>

#include "datasets/tables/kernel_measurement.h"

namespace cubicbench::datasets {

/// A table of kernels that were timed on their own, as it is compiled into the program.
struct NamedKernelTable {
  std::string_view name;
  std::string_view summary;
};

/// Sorted by name. Nobody learns from them or is validated on them: constants of devices are
/// fitted to them.
std::span<const NamedKernelTable> named_kernel_tables();

/// Is this the name of one?
bool is_kernel_table(std::string_view name);

/// Reads the one of that name. Requires that it is there.
KernelMeasurements find_kernel_measurements(std::string_view name);

}  // namespace cubicbench::datasets
