#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace cubicbench::cli {

/// One line that is drawn over and over, at most ten times a second, and wiped out at the end;
/// where no line can be wiped, such as in a log, a new line at least every ten seconds. Threads may
/// share it.
class Progress {
 public:
  /// How the line meets its terminal; a test brings its own.
  struct Surroundings {
    std::function<void(std::string_view)> write;
    std::function<double()> now_s;  ///< any clock that never goes back
    std::function<int()> columns;   ///< of the terminal, asked at every drawing
    bool wipes = true;              ///< can a line be wiped?
    /// Where none can: when the last line was written, which a first one need not wait for anew;
    /// null: none was, and nobody else asks.
    std::atomic<double>* last_line_s = nullptr;
  };

  /// `of` is what is counted, as results::progress_line() has it.
  explicit Progress(Surroundings surroundings, std::string of = "launches");
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Wipes the line out.
  ~Progress();

  /// `done` of `total` have ended. The rate counts from the first call on, so that what
  /// an earlier run did does not flatter this one. Calls may come out of order: `done` never goes
  /// back.
  void show(std::int64_t done, std::int64_t total);

  /// Wipes the line out, so that something else can be printed. The next show draws it again.
  void clear();

  /// From now on a line is due even while nothing ends, as between two jobs of a real cluster.
  void keep_talking();

 private:
  void draw_if_due(double now_s);

  Surroundings surroundings_;
  std::string of_;
  std::mutex mutex_;
  std::optional<double> began_s_;
  std::optional<double> drawn_s_;
  std::int64_t done_at_first_ = 0;
  std::int64_t done_ = 0;
  std::int64_t total_ = 0;
  bool visible_ = false;
  std::jthread talker_;  ///< last, so that it ends first
};

/// The bar, or its lines, on standard error; nothing with `quiet`.
std::unique_ptr<Progress> terminal_progress(bool quiet, const std::string& of = "launches");

}  // namespace cubicbench::cli
