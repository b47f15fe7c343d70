#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/shared_options.h"
#include "datasets/jobs/job_history.h"
#include "datasets/jobs/split.h"
#include "results/document/terminal.h"

namespace cubicbench::cli {

/// What the command line of `dataset` asks for; each verb has a use for some of it.
struct DatasetAsked {
  std::string verb;
  std::vector<std::string> names;  ///< what follows the verb
  std::optional<std::string> out;
  datasets::HistoryOptions history;
  datasets::SplitKind split = datasets::SplitKind::random;
  std::int64_t train = 0;
  std::uint64_t repeat = 0;
  std::vector<std::string> scenarios;
  GlobalOptions global;
};

/// What comes next is about the table that was written, or the dataset.
inline std::string subject_asked(const DatasetAsked& asked) {
  if (asked.out && asked.out->ends_with(".csv")) return *asked.out;
  return asked.names.empty() ? "" : asked.names.front();
}

/// One verb of the command.
struct DatasetVerb {
  std::string_view name;
  Output output = Output::none;  ///< what --out names
  /// Adds the options that it alone has.
  void (*declare)(Options& options, DatasetAsked& asked) = [](Options&, DatasetAsked&) {};
  /// Whether the names, and --out, are what it needs. Throw InputError.
  void (*check_names)(const DatasetAsked& asked);
  void (*check_out)(const DatasetAsked& asked) = [](const DatasetAsked&) {};
  std::string (*answer)(const DatasetAsked& asked, const results::Screen& screen);
};

DatasetVerb dataset_generate();
DatasetVerb dataset_split();
DatasetVerb dataset_import();

/// Throws InputError, `expected EXPECTED`, unless there is one name after the verb.
void require_one_name(const DatasetAsked& asked, const std::string& expected);

/// Throws InputError unless --out names a CSV file.
void require_csv_out(const DatasetAsked& asked);

}  // namespace cubicbench::cli
