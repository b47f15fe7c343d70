#include "datasets/mapping/device_generation.h"

#include <algorithm>
#include <array>

namespace cubicbench::datasets {
namespace {

struct Generation {
  std::string_view begins;  ///< the device's name
  std::string_view name;
};

constexpr std::array generations{
    Generation{"v100", "Volta"},      Generation{"a100", "Ampere"},
    Generation{"a800", "Ampere"},     Generation{"h100", "Hopper"},
    Generation{"h200", "Hopper"},     Generation{"h800", "Hopper"},
    Generation{"b200", "Blackwell"},  Generation{"b300", "Blackwell"},
    Generation{"gb200", "Blackwell"}, Generation{"gb300", "Blackwell"}};

}  // namespace

std::string_view generation_of(std::string_view device) {
  const auto found = std::ranges::find_if(
      generations, [&](const Generation& one) { return device.starts_with(one.begins); });
  return found == generations.end() ? device : found->name;
}

}  // namespace cubicbench::datasets
