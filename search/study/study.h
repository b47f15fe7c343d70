#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "scenarios/problem/scenario.h"
#include "search/journal/study_record.h"
#include "search/searchers/registry.h"
#include "search/study/start.h"
#include "search/study/telling.h"
#include "search/study/warm_start.h"

namespace cubicbench::search {

/// One searcher with one seed on one instance of one scenario.
struct StudySpec {
  std::string scenario;  ///< name
  std::int64_t instance = 0;
  SearcherSpec searcher;
  Telling telling = Telling::reason;
  std::int64_t seed = 0;
  std::int64_t trials = 1;  ///< budget of launches, retries included, short ones in part
  std::int64_t slots = 1;   ///< launches that may run at a time
  std::string backend = "simulator";
  Start start = Start::none;  ///< `baseline` where the scenario has one to grant
  bool permute = false;       ///< the searcher sees a permuted space
  std::string salt_sha256{};  ///< of a sealed instance; "" of others
  std::shared_ptr<const WarmStart>
      warm_start{};  ///< what the searcher is told first; null: nothing
};

/// `<scenario>.<instance>.<searcher>.<seed>`: the name of its files, without `.jsonl`.
std::string study_name(const StudySpec& spec);
/// The same of the study that a journal is of.
std::string study_name(const JournalHeader& header);

/// The first line of its journal. `truth_sha256`: see searched_sha256().
JournalHeader journal_header(const StudySpec& spec, const std::string& scenario_sha256,
                             const std::string& truth_sha256);

/// The best value that a whole launch observed; of equal ones the lowest trial.
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

/// Adds a launch to what the study came to.
void count_launch(const scenarios::Objective& objective, const JournalLine& line,
                  StudySummary& summary);

/// Of one that made the launches of the record.
StudySummary summary_of(const StudySpec& spec, const scenarios::Objective& objective,
                        const StudyRecord& record);

}  // namespace cubicbench::search
