#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cubicbench::fuzz {

/// What a command came to.
struct Came {
  int code = 0;
  std::string out;
  std::string err;
};

/// Runs a command of the program in this process, with `--threads 1 --quiet`, and ends the process
/// by broken() unless it keeps what every command promises: done, a question answered by no, or bad
/// input with nothing on `out` and a message of at most 20 problems and 4 kB, each line of it
/// readable. `may_fail`: exit code 3 may be, with a message likewise.
Came checked(std::vector<std::string> args, bool may_fail = false);

/// Writes a file in place of what is there, in folders that are made where they are missing.
void write(const std::filesystem::path& path, std::string_view text);

/// A new, empty folder for one input, gone with what it holds at the next call. Its name is the
/// same each time: messages that have it are of equal length.
std::filesystem::path fresh_folder();

}  // namespace cubicbench::fuzz
