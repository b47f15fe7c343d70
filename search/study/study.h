#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "scenarios/problem/scenario.h"
#include "search/backends/backend.h"
#include "search/journal/journal.h"
#include "search/searchers/registry.h"
#include "search/searchers/searcher.h"
#include "search/study/start.h"
#include "search/study/telling.h"

namespace cubicbench::search {

class StudyLog;

/// One searcher with one seed on one instance of one scenario.
struct StudySpec {
  std::string scenario;  ///< name
  std::int64_t instance = 0;
  SearcherSpec searcher;
  Telling telling = Telling::reason;
  std::int64_t seed = 0;
  std::int64_t trials = 1;  ///< budget of launches, retries included
  std::int64_t slots = 1;   ///< launches that may run at a time
  std::string backend = "simulator";
  Start start = Start::none;  ///< `baseline` where the scenario has one to grant
  bool permute = false;       ///< the searcher sees a permuted space
  std::string salt_sha256{};  ///< of a sealed instance; "" of others
};

/// `<scenario>.<instance>.<searcher>.<seed>`: the name of its files, without `.jsonl`.
std::string study_name(const StudySpec& spec);

/// The first line of its journal. `truth_sha256`: see searched_sha256().
JournalHeader journal_header(const StudySpec& spec, const std::string& scenario_sha256,
                             const std::string& truth_sha256);

/// The best observed value; of equal ones the lowest trial.
struct BestTrial {
  std::int64_t trial = 0;
  double value = 0.0;
  ConfigText config;
};

/// What a study came to.
struct StudySummary {
  std::string study;
  std::string scenario;
  std::int64_t instance = 0;
  std::string searcher;
  std::int64_t seed = 0;
  std::int64_t trials = 0;  ///< launches
  std::int64_t failed = 0;  ///< launches that failed, those that were retried included
  std::optional<BestTrial> best{};
  double cost_gpu_hours = 0.0;
};

/// Of a study without a launch.
StudySummary summary_of(const StudySpec& spec);

/// Of one that made these.
StudySummary summary_of(const StudySpec& spec, const scenarios::Objective& objective,
                        std::span<const JournalLine> launches);

/// How a study is to be run, beside what it is.
struct StudyControl {
  /// Asked before anything is started: true ends the study early.
  std::function<bool()> stopped = [] { return false; };
  /// Called after each launch was recorded.
  std::function<void()> launch_done = [] {};
  /// When stopped, wait for what is running and record it. For launches that cannot be repeated;
  /// a simulated one is repeated instead, so that the journal stays the beginning of the whole.
  bool finish_running = false;
};

/// Runs a study to the end of its budget or of its searcher: fills free slots with proposals, waits
/// for the launch that ends next, records it in `log` and then tells the searcher. A launch that
/// ends as `infra` is launched again at once, under the same trial number, up to the scenario's
/// `truth.max_retries` times while the budget lasts, and the searcher is told of the last only.
/// A study that grants the baseline launches it first, as trial 0, and tells it before it asks.
/// What the searcher recommends at the end is recorded where it states it.
///
/// Where `log` holds lines of an earlier run, the same are expected again instead of written.
StudySummary run_study(const scenarios::Scenario& scenario, const StudySpec& spec,
                       Searcher& searcher, Backend& backend, StudyLog& log,
                       const StudyControl& control = {});

}  // namespace cubicbench::search
