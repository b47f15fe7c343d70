#pragma once

#include <poll.h>
#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/files.h"
#include "support/input_error.h"

namespace cubicbench::support {

/// How a child process ended: one of the first two is meaningful.
struct ProcessEnd {
  int exit_code = -1;      ///< of a normal end
  int signal = 0;          ///< that ended it; 0 for a normal end
  bool timed_out = false;  ///< we asked it to end, because its deadline had passed
  bool lost = false;       ///< some of what it was sent or said did not arrive
};

/// A program to start: its arguments, the first of them its name, which PATH is searched for, its
/// environment, `NAME=VALUE` each, and its working folder (ours where there is none).
struct ProcessCall {
  std::vector<std::string> arguments;
  std::optional<std::vector<std::string>> environment = std::nullopt;
  std::optional<std::string> folder = std::nullopt;
  /// Its standard input stays open for what `send` adds, until `end_input`.
  bool is_conversation = false;
  /// A descriptor of ours that the child holds too, as number 3: a lock on it lasts until both have
  /// let go of it, or ended. -1: none.
  int held = -1;
};

/// `/bin/sh -c COMMAND`.
ProcessCall shell_call(const std::string& command);

/// It could not be started, and nothing runs.
class NotStarted : public OutputError {
 public:
  /// `error` as errno(3) has it.
  explicit NotStarted(int error);
  int error() const { return error_; }

 private:
  int error_;
};

/// What is done with a child's output, piece by piece as it arrives.
struct ProcessSinks {
  std::function<void(std::string_view)> out;
  std::function<void(std::string_view)> err;
};

/// A program as a child, in a process group of its own, so that a signal from the terminal is ours
/// alone and the whole family can be killed. It starts with default signal dispositions, nothing
/// blocked, and no descriptor of ours but its three streams and one that it is to hold.
///
/// The child has ended when the program has: what it left running in its group is killed, and
/// nobody waits for a descendant that keeps the pipes open. At the deadline the group gets SIGTERM
/// and, `grace` later, SIGKILL. Destroying a running process does the same at once. Every child is
/// reaped. Not to be shared by threads.
class Process {
 public:
  using Clock = std::chrono::steady_clock;

  /// `input` is what the child gets on its standard input, all of it unless it is a conversation;
  /// one that does not read it is fine. Throws NotStarted.
  Process(const ProcessCall& call, std::string input, ProcessSinks sinks,
          Clock::time_point deadline = Clock::time_point::max(),
          std::chrono::milliseconds grace = std::chrono::milliseconds{0});
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  bool ended() const { return ended_; }
  /// Requires ended().
  const ProcessEnd& end() const { return end_; }
  Clock::time_point ended_at() const { return ended_at_; }

  /// Adds to the input of a conversation; what it does not read is as if it had been read.
  void send(std::string_view text);
  /// The child reads an end of file once it has read what was sent.
  void end_input();

  /// Asks the group to end as at the deadline, without calling it a timeout.
  void terminate();

  /// Waits up to `wait_max` for something to happen to any of `processes`, then feeds them, hands
  /// their output to the sinks and notes which of them ended.
  static void attend(std::span<Process* const> processes, std::chrono::milliseconds wait_max);

 private:
  void spawn(const ProcessCall& call);
  void attend(std::span<const pollfd, 3> events);
  void feed();
  /// Reads at most `bytes_max` of what is there.
  void drain(FileDescriptor& from, const std::function<void(std::string_view)>& sink,
             std::size_t bytes_max);
  void enforce_deadline(Clock::time_point now);
  void finish_if_exited();

  std::string input_;
  std::size_t fed_ = 0;  ///< bytes of `input_` that were written
  bool keeps_input_ = false;
  ProcessSinks sinks_;
  Clock::time_point deadline_;
  std::chrono::milliseconds grace_;

  pid_t pid_ = -1;
  FileDescriptor in_;
  FileDescriptor out_;
  FileDescriptor err_;
  Clock::time_point looked_at_;  ///< for its exit, last
  Clock::time_point ended_at_;
  Clock::time_point kill_at_ = Clock::time_point::max();  ///< when patience ends
  bool asked_ = false;                                    ///< it was sent SIGTERM
  bool killed_ = false;                                   ///< it was sent SIGKILL
  bool ended_ = false;
  ProcessEnd end_;
};

/// As many running processes are known to the function below; one more would live on.
inline constexpr std::size_t known_processes_max = 65'536;

/// Kills the groups of all running processes with SIGKILL. Safe in a signal handler; for programs
/// that must end at once, without destructors.
void kill_running_processes() noexcept;

/// Ends this program with `exit_code`, and kills all running processes before. None of them ends
/// for any thread of ours, which would take our kill for a failure of its own. Safe in a signal
/// handler.
[[noreturn]] void end_with_running_processes(int exit_code) noexcept;

}  // namespace cubicbench::support
