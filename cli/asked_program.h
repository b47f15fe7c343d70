#pragma once

#include <string>
#include <vector>

namespace cubicbench::cli {

/// What this program prints for the words of a command line, asked in this process. Throws
/// InputError with what it says where it fails, and Interrupted where a signal ended it.
std::string asked_program(const std::vector<std::string>& words);

}  // namespace cubicbench::cli
