#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/temporary_folder.h"

namespace cubicbench::integration {

/// How a process ended.
struct Ending {
  int exit_code = -1;  ///< -1 when a signal ended it
  int signal = 0;      ///< that ended it; 0 when it exited
  std::string out;
  std::string err;
};

/// What a process may have; nothing: as much as ours.
struct Limits {
  std::optional<std::uint64_t> file_bytes{};    ///< writing more fails as on a full disk
  std::optional<std::uint64_t> memory_bytes{};  ///< of address space
  std::optional<std::uint64_t> descriptors{};
};

/// The real program, running in a process of its own with its streams in files.
class ProgramRun {
 public:
  explicit ProgramRun(const std::vector<std::string>& args, const Limits& limits = {});
  ProgramRun(const ProgramRun&) = delete;
  ProgramRun& operator=(const ProgramRun&) = delete;
  /// Kills it if it still runs.
  ~ProgramRun();

  /// Whether it still runs.
  bool running();
  void send(int signal) const;
  /// Waits for the end; a program that takes minutes is killed, which the ending then tells.
  Ending wait();

 private:
  TemporaryFolder streams_;  ///< with its standard output and error
  pid_t pid_ = -1;
  bool ended_ = false;
  int status_ = 0;
};

/// Runs the program to its end.
Ending run_program(const std::vector<std::string>& args, const Limits& limits = {});

/// Runs a script of the shell in `folder`, with the program in its path, behind the folders that
/// `programs` names, each with a colon after it.
Ending run_script(const std::string& script, const std::filesystem::path& folder,
                  const std::string& programs = "");

/// Runs a program that would go on for minutes and sends it SIGINT once it is at work.
Ending interrupted(const std::vector<std::string>& args);

/// Bytes of all files below a folder, which may be missing or growing.
std::uint64_t bytes_of(const std::filesystem::path& folder);

/// Asks for `condition` again and again until it holds; false when `run` ended before or minutes
/// went by.
bool wait_until(ProgramRun& run, const std::function<bool()>& condition);

}  // namespace cubicbench::integration
