#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options/column_option.h"
#include "cli/options/command_words.h"
#include "cli/options/readers.h"
#include "cli/options/shared_options.h"
#include "datasets/logs/read_log.h"
#include "results/tables/import_report.h"
#include "support/json/json_document.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;

struct ImportAsked {
  std::vector<std::string> names;
  std::vector<datasets::GivenColumn> columns;
  fs::path out;
  GlobalOptions global;
};

void declare_import(Options& options, ImportAsked& asked) {
  constexpr FileEnding csv{".csv"};
  options
      .arguments("LOG",
                 "Logs of training programs, memory snapshots and traces in\nJSON, or folders of "
                 "them (docs/logs.md)",
                 asked.names)
      .required("expected logs, got none", {}, "LOG");
  declare_columns(options, asked.columns);
  options.value("--out", "FILE.csv", "Write the table here, one row per log", asked.out, csv)
      .required(csv.missing())
      .writes(Output::file_with_folder);
}

Reply answer(const ImportAsked& asked, const results::Screen&) {
  const std::vector<datasets::ReadLog> logs = datasets::read_logs(asked.names, asked.columns);
  const datasets::Measurements table = datasets::table_of(logs, asked.out.stem().string());
  write_output(asked.out, datasets::measurements_csv(table));
  if (asked.global.json) return support::document_text(results::import_json(logs));
  return results::import_text(logs, asked.out.string());
}

}  // namespace

Command import_command() { return command(words::import_logs, declare_import, answer); }

}  // namespace cubicbench::cli
