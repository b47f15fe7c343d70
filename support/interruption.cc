#include "support/interruption.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "sim/base/check.h"
#include "support/process.h"

namespace cubicbench::support {
namespace {

constexpr std::array<int, 2> watched{SIGINT, SIGTERM};
constexpr int killed_by_signal = 128;

// A handler may touch nothing else: lock-free atomics, kill, _exit and write.
std::atomic<bool> is_requested{false};
std::atomic<int> first_signal{0};
std::atomic<bool> is_watching{false};
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

std::string_view first_note;  // set while no handler of ours is there yet

std::array<struct sigaction, watched.size()> before{};

extern "C" void on_signal(int signal) {
  int none = 0;
  if (!first_signal.compare_exchange_strong(none, signal)) {
    // Nobody waits for what the first one asked for.
    support::kill_running_processes();
    ::_exit(killed_by_signal + signal);
  }
  is_requested = true;
  const int error = errno;  // whoever was interrupted may be about to read it
  // A note that cannot be written is no reason to stop.
  [[maybe_unused]] const ssize_t written =
      ::write(STDERR_FILENO, first_note.data(), first_note.size());
  errno = error;
}

}  // namespace

InterruptionWatch::InterruptionWatch(std::string_view note) {
  SIM_ASSERT(!is_watching.exchange(true));
  first_note = note;
  is_requested = false;
  first_signal = 0;
  for (std::size_t i = 0; i < watched.size(); ++i) {
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    ::sigaction(watched[i], nullptr, &before[i]);
    // What was ignored when we were started (nohup, a background job) stays ignored.
    if (before[i].sa_handler != SIG_IGN) ::sigaction(watched[i], &action, nullptr);
  }
}

InterruptionWatch::~InterruptionWatch() {
  for (std::size_t i = 0; i < watched.size(); ++i) ::sigaction(watched[i], &before[i], nullptr);
  is_watching = false;
}

const std::atomic<bool>& InterruptionWatch::requested() const { return is_requested; }

int InterruptionWatch::signal() const { return first_signal; }

std::string signal_name(int signal) {
  return signal == SIGINT ? "SIGINT" : signal == SIGTERM ? "SIGTERM" : std::to_string(signal);
}

}  // namespace cubicbench::support
