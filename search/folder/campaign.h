#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/problem/scenario.h"
#include "search/folder/shard.h"
#include "search/journal/study_record.h"
#include "search/searchers/registry.h"
#include "search/study/study.h"
#include "search/study/telling.h"

namespace cubicbench::search {

/// Studies that one search may consist of.
inline constexpr std::int64_t studies_max = 1'000'000;

/// Which studies a search consists of: every scenario x instance x searcher x seed, or the shard's
/// share of them.
struct SearchPlan {
  std::vector<scenarios::Scenario> scenarios;
  std::vector<SearcherSpec> searchers;
  std::optional<std::int64_t> trials;  ///< launches a study; each scenario's budget unless given
  std::int64_t seeds = 1;              ///< so many, from `first_seed` on
  std::int64_t instances = 1;          ///< so many, from `first_instance` on
  std::int64_t first_seed = 0;
  std::int64_t first_instance = 0;
  std::string salt_sha256{};  ///< of the scenarios' seal; "" where instances are not sealed
  std::int64_t slots = 1;
  Telling telling = Telling::reason;
  Start start = Start::none;          ///< `baseline`: of scenarios that have one to grant
  std::string backend = "simulator";  ///< as `--backend` has it; see usual_backend()
  Shard shard{};                      ///< which of the studies
  std::string suite{};   ///< whose problems these are; "" where they were named one by one
  bool permute = false;  ///< searchers see permuted spaces, see search/permuted/permuted_searcher.h
  WarmStarts warm_start{};  ///< what searchers are told before their first proposal
};

/// How far a search is, over all its studies.
struct SearchProgress {
  std::int64_t launches_done = 0;   ///< those of an earlier run included, once they are replayed
  std::int64_t launches_total = 0;  ///< budgets; a study whose searcher ends early makes fewer
};

/// How a search is run. Nothing here changes a byte of what a finished search leaves.
struct SearchRun {
  std::filesystem::path out;
  bool resume = false;
  bool sync = false;                        ///< flush every line to the disk
  int threads = 0;                          ///< 0: all cores
  const std::atomic<bool>* stop = nullptr;  ///< when it becomes true nothing more is started
  std::function<void(const SearchProgress&)> progress{};  ///< may be called from any thread
  /// How long an external searcher may take for an answer.
  std::chrono::milliseconds client_timeout{60'000};
  /// Told what a user should know of external commands that fail, twice a study at most:
  /// `STUDY: trial 3 failed: answer#/value: expected a number, got "5"`. May be called from any
  /// thread.
  std::function<void(const std::string&)> note{};
};

/// What a search came to.
struct SearchResult {
  /// By scenario, instance, searcher, seed, in the order of the plan. A search that was stopped has
  /// only those that ran, and they may be short.
  std::vector<StudySummary> studies{};
  /// What the files of the same studies say.
  std::vector<StudyRecord> records{};
  bool stopped = false;
};

/// Runs the studies of `plan` in parallel (external commands one after the other) and leaves their
/// journals in `run.out`. Throws InputError for a plan that cannot be (no scenario, no searcher,
/// one of them twice, a backend that cannot run a scenario, a space without a configuration, a
/// number below 1, more than `studies_max` studies) and for a folder or journal that does not fit
/// it, OutputError when the world failed; the other studies are then stopped as by `run.stop`. An
/// external searcher that breaks the protocol ends its own study only: OutputError says so at the
/// end, a line a study.
SearchResult run_search(const SearchPlan& plan, const SearchRun& run);

}  // namespace cubicbench::search
