#pragma once

#include <cstdint>
#include <cstdlib>

namespace cubicbench {

/// How often a test throws its dice: CUBICBENCH_AGREEMENT_CONFIGURATIONS, else `otherwise`.
inline std::uint64_t draws_asked(std::uint64_t otherwise) {
  const char* text = std::getenv("CUBICBENCH_AGREEMENT_CONFIGURATIONS");
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace cubicbench
