#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>

#include "cli/terminal/progress.h"
#include "datasets/exhaustive/valued_range.h"
#include "support/interruption.h"

namespace cubicbench::cli {

/// How an enumeration meets its terminal: a bar, and an orderly end when a signal has arrived.
class WatchedValues {
 public:
  /// `total`: how many configurations are valued at most. Values that memory does not hold spill to
  /// a file beside `beside`; where that is "", to the folder of temporary files.
  WatchedValues(bool quiet, std::uint64_t total, int threads, std::filesystem::path beside);
  WatchedValues(const WatchedValues&) = delete;
  WatchedValues& operator=(const WatchedValues&) = delete;

  const datasets::ValuingRun& run() const { return run_; }
  /// Throws Interrupted when a signal has arrived.
  void look() const;
  /// The values are there: wipes the bar out, and looks.
  void finish();

 private:
  support::InterruptionWatch watch_;
  std::unique_ptr<Progress> progress_;
  std::atomic<std::int64_t> done_ = 0;
  datasets::ValuingRun run_;
};

}  // namespace cubicbench::cli
