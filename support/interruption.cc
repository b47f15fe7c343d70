#include "support/interruption.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

#include "support/process.h"

namespace cubicbench::support {
namespace {

constexpr std::array<int, 2> asking{SIGINT, SIGTERM};
constexpr int killed_by_signal = 128;
constexpr unsigned brief_s = 1;

// A handler may touch nothing else: lock-free atomics, alarm, sigaction, kill, _exit and
// write.
std::atomic<bool> is_requested{false};
std::atomic<int> first_signal{0};
std::atomic<unsigned> patience_s{0};  ///< 0: endless
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

std::atomic<const WatchTerms*> ruling{nullptr};
std::atomic<InterruptionWatch*> innermost{nullptr};

std::array<struct sigaction, asking.size()> before{};
struct sigaction alarm_before {};
std::atomic<bool> is_armed{false};

void say(std::string_view text) {
  // What cannot be said is no reason to stop.
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

[[noreturn]] void end_at_once(int signal) { end_with_running_processes(killed_by_signal + signal); }

extern "C" void on_alarm(int /*signal*/) {
  const int signal = first_signal;
  say(signal == SIGINT ? "cubicbench: ended by SIGINT" : "cubicbench: ended by SIGTERM");
  if (const WatchTerms* const terms = ruling; terms != nullptr && !terms->left.empty()) {
    say("; ");
    say(terms->left);
  }
  say("\n");
  end_at_once(signal);
}

struct sigaction action_of(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  return action;
}

void disarm() {
  if (!is_armed.exchange(false)) return;
  ::alarm(0);
  ::sigaction(SIGALRM, &alarm_before, nullptr);
}

/// SIGALRM is taken over only after the first signal, since a caller may have set an alarm before.
void meet_request() {
  if (patience_s == 0) return disarm();
  const struct sigaction action = action_of(on_alarm);
  if (!is_armed.exchange(true)) ::sigaction(SIGALRM, &action, &alarm_before);
  ::alarm(patience_s);
}

extern "C" void on_signal(int signal) {
  int none = 0;
  // Nobody waits for what the first one asked for.
  if (!first_signal.compare_exchange_strong(none, signal)) end_at_once(signal);
  const int error = errno;  // whoever was interrupted may be about to read it
  is_requested = true;
  meet_request();
  if (const WatchTerms* const terms = ruling) say(terms->note);
  errno = error;
}

void catch_signals() {
  first_signal = 0;
  const struct sigaction action = action_of(on_signal);
  for (std::size_t i = 0; i < asking.size(); ++i) {
    ::sigaction(asking[i], nullptr, &before[i]);
    // What was ignored when we were started (nohup, a background job) stays ignored.
    if (before[i].sa_handler != SIG_IGN) ::sigaction(asking[i], &action, nullptr);
  }
}

void give_signals_back() {
  for (std::size_t i = 0; i < asking.size(); ++i) ::sigaction(asking[i], &before[i], nullptr);
  disarm();
  is_requested = false;
}

}  // namespace

InterruptionWatch::InterruptionWatch(WatchTerms terms)
    : around_(innermost), terms_(std::move(terms)) {
  if (terms_.patience == Patience::inherited) {
    terms_.patience = around_ == nullptr ? Patience::endless : around_->terms_.patience;
  }
  innermost = this;
  rule();
  if (around_ == nullptr) catch_signals();
}

InterruptionWatch::~InterruptionWatch() {
  if (around_ == nullptr) give_signals_back();
  innermost = around_;
  ruling = nullptr;
  if (around_ != nullptr) around_->rule();
}

/// Makes its terms those that hold, also for a signal that has arrived already.
void InterruptionWatch::rule() const {
  patience_s = terms_.patience == Patience::brief ? brief_s : 0;
  ruling = &terms_;
  if (is_requested) meet_request();
}

const std::atomic<bool>& InterruptionWatch::requested() const { return is_requested; }

int InterruptionWatch::signal() const { return first_signal; }

bool is_interrupted() { return is_requested.load(std::memory_order_relaxed); }

void end_if_interrupted() {
  if (!is_interrupted()) return;
  const InterruptionWatch* const watch = innermost;
  if (watch == nullptr) return;  // it was caught by one that is gone
  const std::string& left = watch->terms_.left;
  throw Interrupted(first_signal, "cubicbench: ended by " + signal_name(first_signal) +
                                      (left.empty() ? "" : "; " + left));
}

std::string signal_name(int signal) {
  return signal == SIGINT ? "SIGINT" : signal == SIGTERM ? "SIGTERM" : std::to_string(signal);
}

}  // namespace cubicbench::support
