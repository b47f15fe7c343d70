#include "tests/integration/program_run.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <regex>
#include <stdexcept>
#include <system_error>
#include <thread>

#include "support/process.h"
#include "tests/program_path.h"
#include "tests/text_files.h"

namespace cubicbench::integration {
namespace {

namespace fs = std::filesystem;

constexpr auto patience = std::chrono::minutes(8);

void redirect(int stream, const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags, 0600);
  if (file < 0 || ::dup2(file, stream) < 0) ::_exit(126);
  ::close(file);
}

/// What the program says on standard error but for lines such as "40/300 launches, 12/s, 21 s
/// left", which a slow machine sees more of.
std::string without_progress(const std::string& err) {
  static const std::regex line("(^|\n)[0-9,]+/[0-9,]+ [^\n]*(?=\n)");
  std::string rest = std::regex_replace(err, line, "");
  return rest.starts_with('\n') && !err.starts_with('\n') ? rest.substr(1) : rest;
}

void limit(decltype(RLIMIT_AS) what, const std::optional<std::uint64_t>& most) {
  if (!most) return;
  const rlimit both{.rlim_cur = *most, .rlim_max = *most};
  ::setrlimit(what, &both);
}

/// Between fork and exec: only what a signal handler may do too.
[[noreturn]] void become_program(char* const* args, const std::string& out, const std::string& err,
                                 const Limits& limits) {
  redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
  redirect(STDOUT_FILENO, out, O_WRONLY | O_CREAT | O_TRUNC);
  redirect(STDERR_FILENO, err, O_WRONLY | O_CREAT | O_TRUNC);
  std::signal(SIGINT, SIG_DFL);  // a shell starts jobs in the background with it ignored
  std::signal(SIGTERM, SIG_DFL);
  limit(RLIMIT_FSIZE, limits.file_bytes);
  limit(RLIMIT_AS, limits.memory_bytes);
  limit(RLIMIT_NOFILE, limits.descriptors);
  ::execv(args[0], args);
  ::_exit(127);
}

}  // namespace

ProgramRun::ProgramRun(const std::vector<std::string>& args, const Limits& limits) {
  std::vector<std::string> words{program_path()};
  words.insert(words.end(), args.begin(), args.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const std::string out = streams_ / "out";
  const std::string err = streams_ / "err";
  for (const std::string& stream : {out, err}) write_text(stream, "");  // of one killed at once
  pid_ = ::fork();
  if (pid_ == 0) become_program(pointers.data(), out, err, limits);
  if (pid_ < 0) throw std::runtime_error("cannot fork");
}

ProgramRun::~ProgramRun() {
  if (running()) {
    send(SIGKILL);
    ::waitpid(pid_, &status_, 0);
  }
}

bool ProgramRun::running() {
  if (!ended_) ended_ = ::waitpid(pid_, &status_, WNOHANG) == pid_;
  return !ended_;
}

void ProgramRun::send(int signal) const {
  if (!ended_) ::kill(pid_, signal);
}

Ending ProgramRun::wait() {
  const auto give_up = std::chrono::steady_clock::now() + patience;
  while (running()) {
    if (std::chrono::steady_clock::now() > give_up) send(SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return {.exit_code = WIFEXITED(status_) ? WEXITSTATUS(status_) : -1,
          .signal = WIFSIGNALED(status_) ? WTERMSIG(status_) : 0,
          .out = read_text(streams_ / "out"),
          .err = without_progress(read_text(streams_ / "err"))};
}

Ending run_program(const std::vector<std::string>& args, const Limits& limits) {
  return ProgramRun(args, limits).wait();
}

Ending run_script(const std::string& script, const fs::path& folder, const std::string& programs) {
  using support::Process;
  const std::string path = programs + fs::path(program_path()).parent_path().string();
  Ending ending;
  Process process({.arguments = {"/bin/sh", "-c", "export PATH='" + path + "':$PATH\n" + script},
                   .folder = folder.string()},
                  "",
                  {.out = [&](std::string_view piece) { ending.out += piece; },
                   .err = [&](std::string_view piece) { ending.err += piece; }});
  Process* const self = &process;
  while (!process.ended()) Process::attend({&self, 1}, std::chrono::milliseconds(50));
  ending.exit_code = process.end().exit_code;
  return ending;
}

Ending interrupted(const std::vector<std::string>& args) {
  Ending ending;
  // One that has not come to catch signals yet is ended by it: then later.
  for (int wait_ms = 500; wait_ms <= 32'000; wait_ms *= 4) {
    ProgramRun run(args);
    std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
    run.send(SIGINT);
    ending = run.wait();
    if (ending.signal != SIGINT) break;
  }
  return ending;
}

std::uint64_t bytes_of(const fs::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    std::error_code gone;
    const std::uint64_t size = at->is_regular_file(gone) ? at->file_size(gone) : 0;
    if (!gone) bytes += size;
  }
  return bytes;
}

bool wait_until(ProgramRun& run, const std::function<bool()>& condition) {
  const auto give_up = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (!run.running() || std::chrono::steady_clock::now() > give_up) return condition();
    std::this_thread::yield();
  }
  return true;
}

}  // namespace cubicbench::integration
