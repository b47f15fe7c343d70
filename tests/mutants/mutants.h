#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <string>
#include <type_traits>

/// All faults are compiled at once, and a process has one of them or none.
namespace mutants {

/// Whether the fault of this number is the one of CUBICBENCH_MUTANT. With
/// CUBICBENCH_MUTANTS_REACHED, a file, its number is added there when it is asked for the first
/// time: a test that does not ask cannot notice.
inline bool asked(int identity) {
  static const char* const chosen = std::getenv("CUBICBENCH_MUTANT");
  static const int number = chosen == nullptr ? 0 : std::atoi(chosen);
  static const char* const reached = std::getenv("CUBICBENCH_MUTANTS_REACHED");
  static std::atomic<bool> seen[100'000];
  if (reached != nullptr && !seen[identity].exchange(true)) {
    const std::string line = std::to_string(identity) + "\n";
    const int file = ::open(reached, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file >= 0) {
      [[maybe_unused]] const auto written = ::write(file, line.data(), line.size());
      ::close(file);
    }
  }
  return identity == number;
}

constexpr bool on(int identity) { return !std::is_constant_evaluated() && asked(identity); }

}  // namespace mutants
