#pragma once

// Long work as the terminal sees it: a progress bar, and an orderly end when a signal has arrived.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "cli/terminal/progress.h"
#include "datasets/exhaustive/valued_range.h"
#include "datasets/jobs/dataset.h"
#include "predictor/judging/protocol.h"
#include "search/folder/campaign.h"
#include "support/interruption.h"

namespace cubicbench::cli {

/// Says something that changes no result, on standard error; nothing with `quiet`.
void say_note(std::string_view text, bool quiet);

/// Runs a search as the terminal sees it: a progress bar unless `quiet`, and an orderly end on
/// SIGINT and SIGTERM. `command` is what continues it, for the message. Throws Interrupted when it
/// was ended early, and what run_search throws.
search::SearchResult run_watched(const search::SearchPlan& plan, search::SearchRun run, bool quiet,
                                 const std::string& command);

/// How predictors are judged while somebody looks on. Nothing here changes a number.
struct PredictionRun {
  int threads = 0;  ///< 0: all cores
  bool quiet = false;
  std::string of = "fits";  ///< what the progress bar counts
};

/// Judges as the terminal sees it: a progress bar, and an orderly end when a signal has arrived.
/// Throws Interrupted then, and what judge() throws.
predictor::JudgedDataset judge_watched(const datasets::Dataset& data,
                                       const predictor::Protocol& protocol,
                                       const PredictionRun& run);

/// Of work that looks often and writes several files, all of them or none.
inline const support::WatchTerms to_the_end{.patience = support::Patience::endless,
                                            .left = "nothing was written"};

/// How an enumeration meets its terminal: a bar, and an orderly end when a signal has arrived.
class WatchedValues {
 public:
  /// `total`: how many configurations are valued at most. Values that memory does not hold spill to
  /// a file beside `beside`; where that is "", to the folder of temporary files.
  WatchedValues(bool quiet, std::uint64_t total, int threads, std::filesystem::path beside);
  WatchedValues(const WatchedValues&) = delete;
  WatchedValues& operator=(const WatchedValues&) = delete;

  const datasets::ValuingRun& run() const { return run_; }
  /// The values are there: wipes the bar out. Throws Interrupted when a signal has arrived.
  void finish();

 private:
  support::InterruptionWatch watch_{to_the_end};
  std::unique_ptr<Progress> progress_;
  std::atomic<std::int64_t> done_ = 0;
  datasets::ValuingRun run_;
};

/// How long work that writes nothing before its end meets its terminal: likewise.
class WatchedCount {
 public:
  /// `of` is what is counted: "points".
  WatchedCount(bool quiet, std::uint64_t total, const std::string& of);
  WatchedCount(const WatchedCount&) = delete;
  WatchedCount& operator=(const WatchedCount&) = delete;

  /// So many more are done. Throws Interrupted when a signal has arrived. From any thread.
  void add(std::uint64_t more);
  /// All is done: wipes the bar out.
  void finish();

 private:
  support::InterruptionWatch watch_{to_the_end};
  std::unique_ptr<Progress> progress_;
  std::atomic<std::int64_t> done_ = 0;
  std::int64_t total_ = 0;
};

}  // namespace cubicbench::cli
