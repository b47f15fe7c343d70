#include <cerrno>
#include <cstdlib>

#include "support/process.h"

// In the place of support/process.cc: a page starts no programs.
namespace cubicbench::support {

NotStarted::NotStarted(int error) : OutputError("no programs run beside a page"), error_(error) {}

ProcessCall shell_call(const std::string& command) {
  return {.arguments = {"/bin/sh", "-c", command}};
}

Process::Process(const ProcessCall& /*call*/, std::string /*input*/, ProcessSinks /*sinks*/,
                 Clock::time_point /*deadline*/, std::chrono::milliseconds /*grace*/) {
  throw NotStarted(ENOSYS);
}
Process::~Process() = default;
void Process::send(std::string_view /*text*/) {}
void Process::end_input() {}
void Process::terminate() {}
void Process::attend(std::span<Process* const> /*processes*/,
                     std::chrono::milliseconds /*wait_max*/) {}

void kill_running_processes() noexcept {}

void end_with_running_processes(int exit_code) noexcept { std::_Exit(exit_code); }

}  // namespace cubicbench::support
