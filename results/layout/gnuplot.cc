#include "results/layout/gnuplot.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>

#include "scenarios/input_error.h"

namespace cubicbench::results {
namespace {

using scenarios::OutputError;

std::string reason(int error) { return std::generic_category().message(error); }

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// A file without a name. Standard streams of the child are files instead of pipes, so that neither
/// side ever waits for the other to read.
class Scratch {
 public:
  Scratch() : file_(std::tmpfile()) {
    if (!file_) throw OutputError("cannot make a temporary file: " + reason(errno));
  }
  int descriptor() const { return ::fileno(file_.get()); }
  void write(std::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size() ||
        std::fflush(file_.get()) != 0) {
      throw OutputError("cannot write a temporary file: " + reason(errno));
    }
    std::rewind(file_.get());
  }
  std::string read() {
    std::rewind(file_.get());
    std::string text;
    std::array<char, 1 << 16> chunk{};
    while (const std::size_t got = std::fread(chunk.data(), 1, chunk.size(), file_.get())) {
      text.append(chunk.data(), got);
    }
    return text;
  }

 private:
  std::unique_ptr<std::FILE, CloseFile> file_;
};

/// Starts gnuplot on the three streams, in a process group of its own, so that Ctrl-C is ours alone
/// and finds a figure whole. Returns 0 or the error.
int spawn(const Scratch& in, const Scratch& out, const Scratch& err, pid_t& child) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.descriptor(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  std::string program = "gnuplot";
  std::string no_user_files = "-d";
  std::string locale = "LC_ALL=C";
  const char* const path = std::getenv("PATH");
  std::string search_path = std::string("PATH=") + (path != nullptr ? path : "/usr/bin:/bin");
  std::array<char*, 3> arguments{program.data(), no_user_files.data(), nullptr};
  std::array<char*, 3> environment{locale.data(), search_path.data(), nullptr};
  const int error = ::posix_spawnp(&child, program.c_str(), &actions, &attributes, arguments.data(),
                                   environment.data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// The last line that is not empty, for a message.
std::string last_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const std::size_t newline = text.rfind('\n');
  return scenarios::shortened(newline == std::string::npos ? text : text.substr(newline + 1));
}

}  // namespace

std::string run_gnuplot(std::string_view script) {
  Scratch in;
  Scratch out;
  Scratch err;
  in.write(script);
  pid_t child = 0;
  const int error = spawn(in, out, err, child);
  int status = 127 << 8;  // what a child that could not become the program ends with
  if (error == 0) {
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  if (error == ENOENT || (WIFEXITED(status) && WEXITSTATUS(status) == 127)) {
    throw OutputError(
        "cannot start gnuplot, which draws the figures: install it (Debian: apt-get install "
        "gnuplot-nox)");
  }
  if (error != 0) throw OutputError("cannot start gnuplot: " + reason(error));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw OutputError("gnuplot failed: " + last_line(err.read()));
  }
  return out.read();
}

}  // namespace cubicbench::results
