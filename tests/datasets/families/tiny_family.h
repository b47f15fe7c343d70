#pragma once

#include <string>

namespace cubicbench::datasets {

/// The family that tests read beside those that ship: spaces of 20 to 100 configurations.
inline std::string tiny_family() {
  return std::string(CUBICBENCH_SOURCE_DIR) + "/tests/scenarios/family/tiny-family.json";
}

inline std::string tiny_member(int number) { return tiny_family() + "@" + std::to_string(number); }

}  // namespace cubicbench::datasets
