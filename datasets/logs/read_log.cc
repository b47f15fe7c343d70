#include "datasets/logs/read_log.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "datasets/logs/log_formats.h"
#include "datasets/logs/log_recorder.h"
#include "datasets/logs/log_text.h"
#include "datasets/logs/logged_measurement.h"
#include "datasets/logs/megatron_record.h"
#include "support/characters.h"
#include "support/files.h"
#include "support/joined.h"

namespace cubicbench::datasets {
namespace {

namespace fs = std::filesystem;

/// The first day in a text, as YYYY-MM-DD; "" where there is none.
std::string_view day_in(std::string_view text) {
  constexpr std::string_view form = "dddd-dd-dd";
  for (std::size_t at = 0; at + form.size() <= text.size(); ++at) {
    const std::string_view day = text.substr(at, form.size());
    const bool fits = std::ranges::equal(
        day, form, [](char c, char of) { return of == 'd' ? support::is_digit(c) : c == of; });
    if (fits && day.starts_with("20") && day.substr(5, 2) <= "12" && day.substr(8, 2) <= "31") {
      return day;
    }
  }
  return {};
}

/// When the run was: the first day that a line with a record names.
void state_day(const LogText& log, LogRecorder& out) {
  std::set<std::size_t> records;
  for (const LoggedStep& step : out.run().steps) records.insert(step.line);
  for (const LogLine& line : log.lines) {
    if (!records.contains(line.number)) continue;
    const std::string_view day = day_in(line.text);
    if (day.empty()) continue;
    out.cell("date", std::string(day), "the log", line.number);
    return;
  }
}

void find_out_of_memory(const LogText& log, LogRecorder& out) {
  for (const LogLine& line : log.lines) {
    if (says_out_of_memory(line.text)) out.out_of_memory(line.number);
  }
}

/// Each thing once, where it was first.
std::vector<NotUnderstood> once(std::vector<NotUnderstood> all) {
  std::ranges::stable_sort(all, {}, &NotUnderstood::line);
  std::set<std::string> seen;
  std::erase_if(all, [&](const NotUnderstood& one) { return !seen.insert(one.what).second; });
  return all;
}

std::string names_of_formats() { return support::joined(log_formats(), ", ", &LogFormat::name); }

/// Paths of the logs in a folder, by name.
std::vector<std::string> logs_in(const std::string& folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const bool is_file = entry.is_regular_file(error);
    if (is_file && is_log_path(entry.path().native())) paths.push_back(entry.path().string());
  }
  std::ranges::sort(paths);
  if (paths.empty()) {
    throw support::InputError(folder,
                              "expected logs in the folder, files that end in .log, .txt, "
                              ".out, .err, .json or .jsonl, got none");
  }
  return paths;
}

}  // namespace

bool is_folder_of_logs(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

bool is_of_known_format(std::string_view bytes) {
  return recognised_format(read_log_text(bytes, "")) != nullptr;
}

ReadLog read_log(std::string_view bytes, const std::string& file, GivenColumns given) {
  const LogText log = read_log_text(bytes, file);
  const LogFormat* const format = recognised_format(log);
  if (format == nullptr) {
    throw support::InputError(file, "expected a log of one of the formats " + names_of_formats() +
                                        ", got no line of any");
  }
  LoggedRun run{.file = file, .format = std::string(format->name)};
  std::vector<support::Problem> problems;
  LogRecorder recorder(run, problems);
  format->read(log, recorder);
  state_day(log, recorder);
  find_out_of_memory(log, recorder);
  Measurement row = measurement_of(recorder, given);
  support::throw_if_any(problems);
  std::vector<std::string> missing = missing_columns(row);
  return {.file = file,
          .format = run.format,
          .version = run.version,
          .row = std::move(row),
          .missing = std::move(missing),
          .not_understood = once(std::move(run.not_understood))};
}

bool is_log_path(std::string_view name) {
  constexpr std::array<std::string_view, 6> endings{".log", ".txt",   ".out",
                                                    ".err", ".jsonl", ".json"};
  return std::ranges::any_of(endings, [&](std::string_view end) { return name.ends_with(end); });
}

std::vector<ReadLog> read_logs(std::span<const std::string> paths, GivenColumns given) {
  std::vector<support::Problem> problems;
  std::vector<ReadLog> logs;
  const auto add = [&](const std::string& path) {
    support::gathered(problems, [&] {
      logs.push_back(read_log(support::read_file(path), path, given));
      return true;
    });
  };
  for (const std::string& path : paths) {
    if (!is_folder_of_logs(path)) {
      add(path);
      continue;
    }
    const auto inside = support::gathered(problems, [&] { return logs_in(path); });
    for (const std::string& one : inside) add(one);
  }
  support::throw_if_any(problems);
  return logs;
}

Measurements table_of(const std::vector<ReadLog>& logs, const std::string& name) {
  Measurements table{.file = name, .name = name, .rows = {}};
  for (const ReadLog& log : logs) {
    table.rows.push_back(log.row);
    table.rows.back().line = table.rows.size() + 1;  // below a header
  }
  return table;
}

}  // namespace cubicbench::datasets
