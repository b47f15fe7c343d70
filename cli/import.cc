#include <algorithm>
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
#include "results/document/number_text.h"
#include "support/files.h"
#include "support/joined.h"
#include "support/json/json_document.h"
#include "support/named_files.h"

namespace cubicbench::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// How many things that were not understood are shown.
constexpr std::size_t shown_max = 20;

struct ImportAsked {
  std::vector<std::string> names;
  std::vector<datasets::GivenColumn> columns;
  fs::path out;
  GlobalOptions global;
};

void declare(Options& options, ImportAsked& asked) {
  constexpr FileEnding csv{".csv"};
  options
      .arguments("LOG",
                 "Logs of training programs, memory snapshots and traces in\nJSON, or folders of "
                 "them (docs/logs.md)",
                 asked.names)
      .required("expected logs, got none", {}, "LOG");
  declare_columns(options, asked.columns);
  options.value("--out", "FILE.csv", "Where to write the table, a row a log", asked.out, csv)
      .required(csv.missing())
      .check([&asked] {
        if (!asked.out.empty()) support::note_output(asked.out, "--out");
      });
}

struct Shown {
  const std::string* file;
  const datasets::NotUnderstood* what;
};

std::vector<Shown> not_understood(const std::vector<datasets::ReadLog>& logs) {
  std::vector<Shown> all;
  for (const datasets::ReadLog& log : logs) {
    for (const datasets::NotUnderstood& one : log.not_understood) all.push_back({&log.file, &one});
  }
  return all;
}

Json json_of(const std::vector<datasets::ReadLog>& logs) {
  Json document = support::new_document("import");
  document["rows"] = logs.size();
  document["formats"] = Json::array();
  for (const datasets::ReadLog& log : logs) {
    document["formats"].push_back(
        {{"file", log.file}, {"format", log.format}, {"version", log.version}});
  }
  document["not_understood"] = Json::array();
  const std::vector<Shown> all = not_understood(logs);
  for (std::size_t i = 0; i < std::min(all.size(), shown_max); ++i) {
    document["not_understood"].push_back(
        {{"file", *all[i].file}, {"line", all[i].what->line}, {"what", all[i].what->what}});
  }
  document["not_understood_left_out"] = all.size() - std::min(all.size(), shown_max);
  document["missing"] = Json::array();
  for (const datasets::ReadLog& log : logs) {
    if (log.missing.empty()) continue;
    document["missing"].push_back({{"file", log.file}, {"columns", log.missing}});
  }
  return document;
}

/// "run.log: torchtitan (2025-grad-norm), 1.234 s a step, 61.2 GiB reserved".
std::string line_of(const datasets::ReadLog& log) {
  const datasets::Measurement& row = log.row;
  std::string text = log.file + ": " + log.format + " (" + log.version + ")";
  if (row.status == datasets::MeasurementStatus::oom) text += ", out of memory";
  if (row.step_time_s) text += ", " + results::duration(sim::Seconds{*row.step_time_s}) + " a step";
  if (!row.step_time_s && row.tokens_per_s_per_gpu) {
    text += ", " + results::scaled(*row.tokens_per_s_per_gpu) + " tokens/s a GPU";
  }
  if (row.peak_mem_gib) {
    text += ", " + results::fixed(*row.peak_mem_gib, 2) + " GiB " + row.mem_kind;
  }
  text += "\n";
  if (!row.notes.empty()) text += "  " + row.notes + "\n";
  if (!log.missing.empty()) {
    text += "  not stated, give it by --column NAME=VALUE: " + support::joined(log.missing, ", ") +
            "\n";
  }
  return text;
}

std::string text_of(const std::vector<datasets::ReadLog>& logs, const fs::path& out) {
  std::string text;
  for (const datasets::ReadLog& log : logs) text += line_of(log);
  const std::vector<Shown> all = not_understood(logs);
  if (!all.empty()) text += "Not understood:\n";
  for (std::size_t i = 0; i < std::min(all.size(), shown_max); ++i) {
    text += "  " + *all[i].file + ":" + std::to_string(all[i].what->line) + ": " +
            all[i].what->what + "\n";
  }
  if (all.size() > shown_max) {
    text += "  and " + std::to_string(all.size() - shown_max) + " more\n";
  }
  return text + out.string() + ": " + results::counted(logs.size(), "row", "rows") + "\n";
}

Reply answer(const ImportAsked& asked, const results::Screen&) {
  const std::vector<datasets::ReadLog> logs = datasets::read_logs(asked.names, asked.columns);
  const datasets::Measurements table = datasets::table_of(logs, asked.out.stem().string());
  support::make_folders(asked.out.parent_path());
  support::write_file_atomic(asked.out, datasets::measurements_csv(table));
  if (asked.global.json) return support::document_text(json_of(logs));
  return text_of(logs, asked.out);
}

}  // namespace

Command import_command() { return command(words::import_logs, declare, answer); }

}  // namespace cubicbench::cli
