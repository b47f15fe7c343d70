#include "datasets/fits/kernel_tables.h"

#include <algorithm>
#include <array>

#include "datasets/mapping/measured_json.h"
#include "sim/base/check.h"

namespace cubicbench::datasets {
namespace {

constexpr std::array all{
    NamedKernelTable{.name = "attention_points",
                     .summary = "362 rates of attention kernels on A100, H100, H200 and B200"},
    NamedKernelTable{.name = "gemm_points",
                     .summary = "3,039 rates of matrix products on A100 to GB200, MI210 to MI355X"},
    NamedKernelTable{.name = "memory_bound_points",
                     .summary = "164 rates of kernels that stream, A100 to H200"},
};

}  // namespace

std::span<const NamedKernelTable> named_kernel_tables() { return all; }

bool is_kernel_table(std::string_view name) {
  return std::ranges::find(all, name, &NamedKernelTable::name) != all.end();
}

KernelMeasurements find_kernel_measurements(std::string_view name) {
  SIM_ASSERT(is_kernel_table(name), name.size());
  KernelMeasurements table =
      read_kernel_measurements(measured_json(std::string(name) + ".csv"), std::string(name));
  table.name = name;
  return table;
}

}  // namespace cubicbench::datasets
