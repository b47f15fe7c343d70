#include "datasets/logs/logged_device.h"

#include <array>

#include "datasets/logs/log_fields.h"

namespace cubicbench::datasets {
namespace {

struct DriverName {
  std::string_view contains;
  std::string_view device;
  double gib_min = 0.0;
  double gib_max = 1e9;
};

/// The first that fits counts. Names as nvidia-smi and rocm-smi print them.
constexpr std::array<DriverName, 37> names{{
    {.contains = "H100 PCIe", .device = "h100-pcie-80gb"},
    {.contains = "A100 80GB PCIe", .device = "a100-pcie-80gb"},
    {.contains = "PCIe", .device = ""},
    {.contains = "H100 NVL", .device = "h100-nvl-94gb"},
    {.contains = "L40S", .device = "l40s"},
    {.contains = "RTX 4090 Laptop", .device = ""},
    {.contains = "RTX 4090", .device = "rtx-4090"},
    {.contains = "RTX 3090 Ti", .device = ""},
    {.contains = "RTX 3090", .device = "rtx-3090"},
    {.contains = "RTX A6000", .device = "rtx-a6000"},
    {.contains = "A10G", .device = "a10g"},
    {.contains = "NVIDIA L40", .device = ""},
    {.contains = "NVIDIA L4", .device = "l4"},
    {.contains = "Tesla T4", .device = "t4"},
    {.contains = "MI250X", .device = "mi250x-gcd"},
    {.contains = "GB300", .device = "gb300"},
    {.contains = "GB200", .device = "gb200"},
    {.contains = "GH200", .device = "gh200-96gb", .gib_max = 100.0},
    {.contains = "GH200", .device = ""},
    {.contains = "B300", .device = "b300-sxm"},
    {.contains = "B200", .device = "b200-sxm"},
    {.contains = "H200", .device = "h200-sxm-141gb"},
    {.contains = "H20", .device = "h20-96gb", .gib_max = 100.0},
    {.contains = "H800", .device = "h800-80gb"},
    {.contains = "H100", .device = "h100-hbm2e-96gb", .gib_min = 90.0, .gib_max = 97.0},
    {.contains = "H100", .device = "h100-sxm-80gb", .gib_max = 81.0},
    {.contains = "A800", .device = "a800-80gb"},
    {.contains = "A100-SXM4-40GB", .device = "a100-sxm-40gb"},
    {.contains = "A100-SXM4-80GB", .device = "a100-sxm-80gb"},
    {.contains = "A100-SXM", .device = "a100-sxm-40gb", .gib_min = 30.0, .gib_max = 41.0},
    {.contains = "A100-SXM", .device = "a100-sxm-80gb", .gib_min = 70.0, .gib_max = 81.0},
    {.contains = "V100-SXM2", .device = "v100-sxm"},
    {.contains = "V100-SXM3", .device = "v100-sxm"},
    {.contains = "MI300X", .device = "mi300x"},
    {.contains = "MI325X", .device = "mi325x"},
    {.contains = "MI355X", .device = "mi355x"},
    {.contains = "MI350X", .device = ""},
}};

}  // namespace

std::string_view device_of_driver_name(std::string_view name, std::optional<double> memory_gib) {
  for (const DriverName& known : names) {
    if (!contains(name, known.contains)) continue;
    // Without its memory, the usual GPU of that name is meant.
    const double gib = memory_gib.value_or(80.0);
    const bool fits = gib >= known.gib_min && gib <= known.gib_max;
    if (fits) return known.device;
  }
  return {};
}

}  // namespace cubicbench::datasets
