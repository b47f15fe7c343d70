#pragma once

#include <atomic>
#include <stdexcept>
#include <string>
#include <string_view>

namespace cubicbench::support {

/// How long work may take to end in order once a signal has asked it to.
enum class Patience {
  inherited,  ///< as the watch around has it; endless where there is none
  brief,      ///< a second, then the process ends as it is: for work that no kill can harm
  endless
};

/// How a watch meets signals.
struct WatchTerms {
  Patience patience = Patience::inherited;
  /// How an early end leaves things, for the message of `Interrupted`: "nothing was written".
  std::string left{};
  /// Written to standard error when the first signal arrives; must outlive the watch.
  std::string_view note{};
};

/// While one of these lives, SIGINT and SIGTERM ask for an end instead of being one: the first sets
/// a flag that the work looks at, the second ends the process at once with 128 + its number. One
/// may stand within another, whose terms hold again afterwards. Made and destroyed by one thread.
class InterruptionWatch {
 public:
  explicit InterruptionWatch(WatchTerms terms = {});
  InterruptionWatch(const InterruptionWatch&) = delete;
  InterruptionWatch& operator=(const InterruptionWatch&) = delete;
  /// Signals do again what they did before.
  ~InterruptionWatch();

  /// The flag: true once a signal has arrived, in the watch around it too.
  const std::atomic<bool>& requested() const;
  /// The first signal that arrived; 0 when none has.
  int signal() const;

 private:
  friend void end_if_interrupted();
  void rule() const;

  InterruptionWatch* around_;
  WatchTerms terms_;
};

/// Whether a signal has asked this process to end, and a watch has caught it.
bool is_interrupted();

/// Throws Interrupted then, "cubicbench: ended by SIGINT; LEFT" with what the innermost watch says
/// of it. For loops that may take longer than people wait, from any thread; costs one load.
void end_if_interrupted();

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
