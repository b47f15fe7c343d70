#include "support/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

namespace cubicbench::support {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t read_bytes = std::size_t{64} << 10;
/// Read from one stream before the next has its turn.
constexpr std::size_t turn_bytes = std::size_t{1} << 20;
/// A pipe holds no more unless its owner asked for it, and we do not.
constexpr std::size_t pipe_bytes = std::size_t{64} << 10;

/// Where a child has the descriptor that it is to hold.
constexpr int held_fileno = STDERR_FILENO + 1;

/// Nobody tells us that a child has exited while a descendant holds its pipes, so we look: soon
/// after something happened, then ever more rarely.
constexpr milliseconds look_min{1};
constexpr milliseconds look_max{50};

/// The groups that are running, for a signal handler: a lock-free table.
std::array<std::atomic<pid_t>, known_processes_max> running_groups{};
static_assert(std::atomic<pid_t>::is_always_lock_free);

/// Set before we kill what runs and end: what exits from then on is no news.
std::atomic<bool> is_ending{false};
static_assert(std::atomic<bool>::is_always_lock_free);

/// Puts `now` in the first place of the table that has `before`; a free one has 0.
void replace_running(pid_t before, pid_t now) {
  for (std::atomic<pid_t>& entry : running_groups) {
    pid_t expected = before;
    if (entry.compare_exchange_strong(expected, now)) return;
  }
}

/// A pipe whose ends are closed on exec and are none of the three standard streams, even where
/// ours were closed.
struct Pipe {
  FileDescriptor read;
  FileDescriptor write;

  Pipe() {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw NotStarted(errno);
    read = FileDescriptor(ends[0]);
    write = FileDescriptor(ends[1]);
    move_up(read);
    move_up(write);
  }

  /// Gives an end away, which does not block from now on.
  static FileDescriptor take(FileDescriptor& end) {
    ::fcntl(end.get(), F_SETFL, ::fcntl(end.get(), F_GETFL) | O_NONBLOCK);
    return std::move(end);
  }

 private:
  static void move_up(FileDescriptor& end) {
    if (end.get() > STDERR_FILENO) return;
    FileDescriptor moved(::fcntl(end.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    if (!moved) throw NotStarted(errno);
    end = std::move(moved);
  }
};

/// Writing to a pipe that nobody reads raises SIGPIPE, which would end us. While one of these
/// lives it is held back, and what our write raised is taken away; one that was pending stays.
class SigpipeGuard {
 public:
  SigpipeGuard() {
    sigemptyset(&pipe_only_);
    sigaddset(&pipe_only_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_only_, &before_);
    // Only what was held back before can be pending: mostly a system call less.
    if (sigismember(&before_, SIGPIPE) != 1) return;
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
  }
  SigpipeGuard(const SigpipeGuard&) = delete;
  SigpipeGuard& operator=(const SigpipeGuard&) = delete;
  ~SigpipeGuard() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  /// After a write that failed with EPIPE.
  void take_away() {
    if (was_pending_) return;
    const timespec at_once{};
    while (sigtimedwait(&pipe_only_, nullptr, &at_once) < 0 && errno == EINTR) {
    }
  }

 private:
  sigset_t pipe_only_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

/// As a program is handed its arguments: the last is null.
std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// How a child is to start, freed with its owner.
struct SpawnPlan {
  posix_spawn_file_actions_t files{};
  posix_spawnattr_t attributes{};

  SpawnPlan(int in, int out, int err, const ProcessCall& call) {
    posix_spawn_file_actions_init(&files);
    if (call.folder) posix_spawn_file_actions_addchdir_np(&files, call.folder->c_str());
    posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, err, STDERR_FILENO);
    const bool holds = call.held >= 0;
    if (holds) posix_spawn_file_actions_adddup2(&files, call.held, held_fileno);
    // Ours are closed on exec; what we inherited ourselves may not be.
    posix_spawn_file_actions_addclosefrom_np(&files, holds ? held_fileno + 1 : held_fileno);
    posix_spawnattr_init(&attributes);
    sigset_t all;
    sigfillset(&all);
    sigdelset(&all, SIGKILL);
    sigdelset(&all, SIGSTOP);
    posix_spawnattr_setsigdefault(&attributes, &all);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
  }
};

}  // namespace

void kill_running_processes() noexcept {
  for (const std::atomic<pid_t>& entry : running_groups) {
    const pid_t group = entry.load();
    if (group > 0) ::kill(-group, SIGKILL);
  }
}

void end_with_running_processes(int exit_code) noexcept {
  is_ending = true;
  kill_running_processes();
  ::_exit(exit_code);
}

ProcessCall shell_call(const std::string& command) {
  return {.arguments = {"/bin/sh", "-c", command}};
}

NotStarted::NotStarted(int error)
    : OutputError("the external command could not be started: " +
                  std::generic_category().message(error)),
      error_(error) {}

Process::Process(const ProcessCall& call, std::string input, ProcessSinks sinks,
                 Clock::time_point deadline, milliseconds grace)
    : input_(std::move(input)),
      keeps_input_(call.is_conversation),
      sinks_(std::move(sinks)),
      deadline_(deadline),
      grace_(grace) {
  spawn(call);
  feed();
}

void Process::spawn(const ProcessCall& call) {
  Pipe in;
  Pipe out;
  Pipe err;
  const SpawnPlan plan(in.read.get(), out.write.get(), err.write.get(), call);
  std::vector<std::string> texts = call.arguments;
  std::vector<std::string> variables = call.environment.value_or(std::vector<std::string>{});
  const std::vector<char*> arguments = pointers_to(texts);
  const std::vector<char*> environment = pointers_to(variables);
  const int error =
      ::posix_spawnp(&pid_, texts.front().c_str(), &plan.files, &plan.attributes, arguments.data(),
                     call.environment ? environment.data() : environ);
  if (error != 0) throw NotStarted(error);
  replace_running(0, pid_);
  in_ = Pipe::take(in.write);
  out_ = Pipe::take(out.read);
  err_ = Pipe::take(err.read);
}

Process::~Process() {
  terminate();
  Process* const self = this;
  while (!ended_) attend({&self, 1}, look_max);
}

void Process::send(std::string_view text) {
  if (!in_) return;
  input_.erase(0, fed_);
  fed_ = 0;
  input_ += text;
  feed();
}

void Process::end_input() {
  keeps_input_ = false;
  feed();
}

void Process::terminate() {
  if (ended_ || asked_) return;
  asked_ = true;
  kill_at_ = Clock::now() + grace_;
  ::kill(-pid_, SIGTERM);
}

void Process::attend(std::span<Process* const> processes, milliseconds wait_max) {
  const Clock::time_point until = Clock::now() + wait_max;
  std::vector<pollfd> polled;
  for (milliseconds look = look_min;; look = std::min(2 * look, look_max)) {
    polled.clear();
    for (const Process* process : processes) {
      if (process->ended_) continue;
      const bool to_feed = process->in_ && process->fed_ < process->input_.size();
      polled.push_back({to_feed ? process->in_.get() : -1, POLLOUT, 0});
      polled.push_back({process->out_.get(), POLLIN, 0});
      polled.push_back({process->err_.get(), POLLIN, 0});
    }
    const auto left =
        std::chrono::ceil<milliseconds>(std::max(until - Clock::now(), Clock::duration::zero()));
    const milliseconds wait = std::min(left, look);
    // Interrupted or not, what follows looks for itself.
    const int ready = ::poll(polled.data(), polled.size(), static_cast<int>(wait.count()));
    bool any_ended = false;
    auto events = polled.cbegin();
    for (Process* process : processes) {
      if (process->ended_) continue;
      process->attend(std::span<const pollfd, 3>(events, 3));
      events += 3;
      any_ended = any_ended || process->ended_;
    }
    if (any_ended || ready != 0 || Clock::now() >= until) return;
  }
}

void Process::attend(std::span<const pollfd, 3> events) {
  if (events[0].revents != 0) feed();
  if (events[1].revents != 0) drain(out_, sinks_.out, turn_bytes);
  if (events[2].revents != 0) drain(err_, sinks_.err, turn_bytes);
  const Clock::time_point now = Clock::now();
  enforce_deadline(now);
  const bool closed = !out_ && !err_;
  if (!closed && !asked_ && now - looked_at_ < look_min) return;
  looked_at_ = now;
  finish_if_exited();
}

void Process::feed() {
  if (!in_) return;
  if (keeps_input_ && fed_ == input_.size()) return;
  SigpipeGuard guard;
  while (fed_ < input_.size()) {
    const ssize_t written = ::write(in_.get(), input_.data() + fed_, input_.size() - fed_);
    if (written >= 0) {
      fed_ += static_cast<std::size_t>(written);
    } else if (errno == EAGAIN) {
      return;
    } else if (errno != EINTR) {
      end_.lost = end_.lost || errno != EPIPE;
      guard.take_away();
      in_.close();  // where it reads no more, that is its own affair
      return;
    }
  }
  if (!keeps_input_) in_.close();
}

void Process::drain(FileDescriptor& from, const std::function<void(std::string_view)>& sink,
                    std::size_t bytes_max) {
  std::array<char, read_bytes> chunk;
  std::size_t total = 0;
  while (from && total < bytes_max) {
    const ssize_t got = ::read(from.get(), chunk.data(), chunk.size());
    if (got > 0) {
      total += static_cast<std::size_t>(got);
      sink({chunk.data(), static_cast<std::size_t>(got)});
      if (static_cast<std::size_t>(got) < chunk.size()) return;  // there was no more
    } else if (got < 0 && errno == EINTR) {
      continue;
    } else if (got < 0 && errno == EAGAIN) {
      break;
    } else {
      end_.lost = end_.lost || got < 0;
      from.close();
    }
  }
}

void Process::enforce_deadline(Clock::time_point now) {
  if (!asked_ && now >= deadline_) {
    end_.timed_out = true;
    terminate();
  }
  if (asked_ && !killed_ && now >= kill_at_) {
    killed_ = true;
    ::kill(-pid_, SIGKILL);
  }
}

void Process::finish_if_exited() {
  siginfo_t info{};
  if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
      info.si_pid != pid_) {
    return;
  }
  while (is_ending) ::pause();
  // A shell dies of SIGTERM at once; what it ran may use the time to leave in order.
  const bool closed = !out_ && !err_;
  if (asked_ && !killed_ && !closed) return;
  ended_at_ = Clock::now();
  // Until it is reaped, nobody else can have its number.
  ::kill(-pid_, SIGKILL);
  drain(out_, sinks_.out, pipe_bytes);
  drain(err_, sinks_.err, pipe_bytes);
  in_.close();
  out_.close();
  err_.close();
  replace_running(pid_, 0);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    end_.signal = WTERMSIG(status);
  } else {
    end_.exit_code = WEXITSTATUS(status);
  }
  ended_ = true;
}

}  // namespace cubicbench::support
