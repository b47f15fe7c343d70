#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/dataset_verbs.h"
#include "cli/note.h"
#include "cli/options.h"
#include "cli/out_folder.h"
#include "cli/problems.h"
#include "datasets/catalog/measured_catalog.h"
#include "datasets/jobs/split.h"
#include "results/document/terminal.h"
#include "results/tables/table_split.h"
#include "results/tables/table_summary.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/json/json_document.h"
#include "support/suggestion.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using support::InputError;
using support::Problem;

datasets::SplitKind split_kind_of(const CLI::App& app) {
  const auto names = datasets::split_names();
  const std::string name = value_of(app, "--split").value_or("");
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) {
    throw InputError("--split",
                     "expected one of random, time, scale, workload, cluster, searcher, "
                     "got " +
                         (name.empty() ? std::string("nothing") : in_quotes(name)) +
                         support::did_you_mean(name, names));
  }
  return static_cast<datasets::SplitKind>(found - names.begin());
}

/// A folder that is not there or holds nothing. Throws InputError.
fs::path new_folder_of(const CLI::App& app) {
  fs::path folder = value_of(app, "--out").value_or("");
  if (folder.empty()) throw InputError("--out", "expected a folder, got nothing");
  require_new_folder(folder, "--out");
  return folder;
}

}  // namespace

std::string dataset_describe(const CLI::App& app) {
  const GlobalOptions global = global_options(app);
  const std::string name =
      dataset_argument(app, "the dataset to describe; see cubicbench list datasets");
  const results::TableSummary summary = results::summary_of(
      datasets::find_table(name, "dataset describe", static_cast<int>(global.threads)));
  return global.json ? results::summary_json(summary)
                     : results::terminal_text(results::summary_document(summary));
}

std::string dataset_split(const CLI::App& app) {
  constexpr std::int64_t rows_max = 1'000'000'000;
  const GlobalOptions global = global_options(app);
  std::vector<Problem> problems;
  const std::string name = gathered(problems, [&] {
    return dataset_argument(app, "the dataset to split; see cubicbench list datasets");
  });
  const datasets::SplitKind kind = gathered(problems, [&] { return split_kind_of(app); });
  const std::int64_t train = gathered(problems, [&] {
    const auto rows = integer_of(app, "--train", 1, rows_max);
    if (!rows) throw InputError("--train", "expected a number of rows to learn from, got nothing");
    return *rows;
  });
  const std::int64_t repeat =
      gathered(problems, [&] { return integer_of(app, "--repeat", 0, rows_max).value_or(0); });
  const fs::path folder = gathered(problems, [&] { return new_folder_of(app); });
  support::throw_if_any(problems);
  const results::TableParts parts = results::split_table(
      datasets::find_table(name, "dataset split", static_cast<int>(global.threads)), kind, train,
      static_cast<std::uint64_t>(repeat));
  for (const std::string& note : parts.notes) say_note(note, global.quiet);
  make_folder(folder);
  support::write_file_atomic(folder / "train.csv", parts.train);
  support::write_file_atomic(folder / "test.csv", parts.test);
  const std::array files{(folder / "train.csv").string(), (folder / "test.csv").string()};
  if (!global.json) {
    return files[0] + ": " + count_text(parts.train_rows, "row", "rows") + "\n" + files[1] + ": " +
           count_text(parts.test_rows, "row", "rows") + "\n";
  }
  Json document = support::new_document("dataset");
  document["name"] = name;
  document["split"] = name_of(kind);
  document["repeat"] = repeat;
  document["train"] = parts.train_rows;
  document["test"] = parts.test_rows;
  document["files"] = files;
  return support::document_text(document);
}

}  // namespace cubicbench::cli
