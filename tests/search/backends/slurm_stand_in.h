#pragma once

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/temporary_folder.h"
#include "tests/text_files.h"

namespace cubicbench {

/// A Slurm of a folder's size: programs with the names of Slurm's come first in PATH while it
/// lives, and really run jobs [tests/search/backends/slurm_stand_in/common]. At its end so do all
/// jobs.
class SlurmStandIn {
 public:
  SlurmStandIn() : path_before_(std::getenv("PATH")) {
    const std::string programs = CUBICBENCH_SOURCE_DIR "/tests/search/backends/slurm_stand_in";
    ::setenv("PATH", (programs + ":" + path_before_).c_str(), 1);
    ::setenv("STAND_IN", folder_.path().c_str(), 1);
  }
  SlurmStandIn(const SlurmStandIn&) = delete;
  SlurmStandIn& operator=(const SlurmStandIn&) = delete;
  ~SlurmStandIn() {
    for (const std::string& job : jobs()) {
      std::ifstream file(folder_ / "jobs" / job / "pid");
      if (int pid = 0; file >> pid && !is_over(job)) ::kill(-pid, SIGKILL);
    }
    ::setenv("PATH", path_before_.c_str(), 1);
    ::unsetenv("STAND_IN");
  }

  /// Tells it to misbehave.
  void tell(const std::string& what, std::string_view how = "") const {
    write_text(folder_ / what, std::string(how) + "\n");
  }
  void tell_no_more(const std::string& what) const { std::filesystem::remove(folder_ / what); }
  bool is_told(const std::string& what) const { return std::filesystem::exists(folder_ / what); }

  /// How often a program was called.
  std::size_t calls(const std::string& program) const {
    std::ifstream lines(folder_ / "calls");
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line);) count += line.starts_with(program + " ");
    return count;
  }
  /// The arguments of its last call.
  std::string last_call(const std::string& program) const {
    std::ifstream lines(folder_ / "calls");
    std::string last;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with(program + " ")) last = line;
    }
    return last;
  }

  /// "1", or "1_0" and "1_1" of an array.
  std::vector<std::string> jobs() const {
    std::vector<std::string> names;
    std::error_code none;
    for (std::filesystem::directory_iterator it(folder_ / "jobs", none), end; !none && it != end;
         it.increment(none)) {
      const std::string name = it->path().filename().string();
      if (!name.starts_with('.')) names.push_back(name);
    }
    return names;
  }
  std::string state(const std::string& job) const {
    std::ifstream file(folder_ / "jobs" / job / "state");
    std::string state;
    std::getline(file, state);
    return state;
  }
  bool is_over(const std::string& job) const {
    const std::string now = state(job);
    return now != "PENDING" && now != "RUNNING";
  }

  /// A template of that body, which asks the suite to look often.
  std::string script(const std::string& body, const std::string& options = "--poll=0.05") const {
    const std::filesystem::path path = folder_ / "template.sh";
    write_text(path, "#!/bin/sh\n#SBATCH --mem=10\n#CUBICBENCH " + options + "\n" + body + "\n");
    return path.string();
  }
  std::filesystem::path operator/(const std::filesystem::path& name) const {
    return folder_ / name;
  }

 private:
  std::string path_before_;
  TemporaryFolder folder_;
};

}  // namespace cubicbench
