#pragma once

#include <atomic>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cubicbench::support {

/// While one of these lives, SIGINT and SIGTERM ask for an end instead of being one: the first sets
/// a flag that the work looks at between two launches, the second ends the process at once with
/// 128 + its number. At most one at a time.
class InterruptionWatch {
 public:
  /// `note` is written to standard error when the first signal arrives; it must outlive the watch.
  explicit InterruptionWatch(std::string_view note = "");
  InterruptionWatch(const InterruptionWatch&) = delete;
  InterruptionWatch& operator=(const InterruptionWatch&) = delete;
  /// Signals do again what they did before.
  ~InterruptionWatch();

  /// The flag: true once a signal has arrived.
  const std::atomic<bool>& requested() const;
  /// The first signal that arrived; 0 when none has.
  int signal() const;
};

/// The work was ended by a signal and left in order. Programs print `what()` and exit with
/// 128 + `signal()`.
class Interrupted : public std::runtime_error {
 public:
  Interrupted(int signal, const std::string& message)
      : std::runtime_error(message), signal_(signal) {}
  int signal() const { return signal_; }

 private:
  int signal_;
};

/// "SIGINT", "SIGTERM".
std::string signal_name(int signal);

}  // namespace cubicbench::support
