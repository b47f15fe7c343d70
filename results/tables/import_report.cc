#include "results/tables/import_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "results/document/number_text.h"
#include "support/joined.h"
#include "support/json/json_document.h"

namespace cubicbench::results {
namespace {

using Json = nlohmann::ordered_json;

/// How many things that were not understood are shown.
constexpr std::size_t shown_max = 20;

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

/// "run.log: torchtitan (2025-grad-norm), 1.234 s a step, 61.2 GiB reserved".
std::string line_of(const datasets::ReadLog& log) {
  const datasets::Measurement& row = log.row;
  std::string text = log.file + ": " + log.format + " (" + log.version + ")";
  if (row.status == datasets::MeasurementStatus::oom) text += ", out of memory";
  if (row.step_time_s) text += ", " + duration(sim::Seconds{*row.step_time_s}) + " a step";
  if (!row.step_time_s && row.tokens_per_s_per_gpu) {
    text += ", " + scaled(*row.tokens_per_s_per_gpu) + " tokens/s a GPU";
  }
  if (row.peak_mem_gib) {
    text += ", " + fixed(*row.peak_mem_gib, 2) + " GiB " + row.mem_kind;
  }
  text += "\n";
  if (!row.notes.empty()) text += "  " + row.notes + "\n";
  if (!log.missing.empty()) {
    text += "  not stated, give it by --column NAME=VALUE: " + support::joined(log.missing, ", ") +
            "\n";
  }
  return text;
}

}  // namespace

Json import_json(const std::vector<datasets::ReadLog>& logs) {
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

std::string import_text(const std::vector<datasets::ReadLog>& logs, const std::string& out) {
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
  return text + out + ": " + counted(logs.size(), "row", "rows") + "\n";
}

}  // namespace cubicbench::results
