#pragma once

#include <cstdlib>
#include <string>

namespace cubicbench {

/// The program that is tested: of the same build, or the one of CUBICBENCH_PROGRAM.
inline std::string program_path() {
  const char* const other = std::getenv("CUBICBENCH_PROGRAM");
  return other != nullptr ? other : CUBICBENCH_BINARY_DIR "/bin/cubicbench";
}

}  // namespace cubicbench
