#include "results/exports/t4.h"

#include <string_view>
#include <utility>

#include "results/exports/exported_studies.h"
#include "search/searchers/charge.h"
#include "support/files.h"
#include "support/json/canonical.h"

namespace cubicbench::results {
namespace {

namespace fs = std::filesystem;
using scenarios::Reason;
using search::StudyLaunch;

/// The schema knows six words. Running out of memory is a failure at run time.
std::string_view invalidity_of(const StudyLaunch& launch) {
  switch (launch.reason) {
    case Reason::none:
      return "correct";
    case Reason::invalid:
      return "constraints";
    case Reason::timeout:
      return "timeout";
    case Reason::numeric:
      return "correctness";
    case Reason::oom_init:
    case Reason::oom_late:
    case Reason::infra:
      break;
  }
  return "runtime";
}

/// The last word of a name is its unit, where it is one.
std::string_view unit_of(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> units[] = {
      {"_gpu_hours", "GPU-hours"}, {"_bytes", "bytes"}, {"_per_s", "1/s"}, {"_s", "s"}};
  for (const auto& [end, unit] : units) {
    if (name.ends_with(end)) return unit;
  }
  return "";
}

std::string measurement(std::string_view name, double value) {
  return "{\"name\":" + support::json_string(name) + ",\"value\":" + support::shortest(value) +
         ",\"unit\":" + support::json_string(unit_of(name)) + "}";
}

std::string measurements_of(const StudyLaunch& launch, const search::JournalLine& line,
                            std::string_view metric) {
  std::string text;
  if (launch.value) text += measurement(metric, *launch.value) + ",";
  if (const auto known = launch.true_value()) text += measurement("true_value", *known) + ",";
  for (const auto& [name, value] : line.outcome.metrics) {
    if (name != metric) text += measurement(name, value) + ",";
  }
  if (launch.fidelity < search::whole_launch) {
    text += measurement("fidelity", launch.fidelity) + ",";
  }
  return text + measurement("cost_gpu_hours", launch.cost_gpu_hours);
}

/// Times are milliseconds; `benchmark` is what the launch took of the cluster's time.
std::string times_of(const scenarios::TrialOutcome& launch) {
  constexpr double milliseconds = 1000.0;
  std::string text =
      "{\"benchmark\":" + support::shortest(launch.duration_h * 3600 * milliseconds) +
      ",\"runtimes\":[";
  if (const auto step = metric_of(launch, "step_time_s")) {
    text += support::shortest(*step * milliseconds);
  }
  return text + "]}";
}

std::string result_of(const ExportedStudy& exported, std::size_t i) {
  const StudyLaunch& launch = exported.study.launches[i];
  const search::JournalLine& line = exported.journal.lines[i];
  const std::string_view metric = name_of(exported.study.objective);
  const bool is_correct = launch.reason == Reason::none;
  return "{\"timestamp\":\"" + clock_text(line.finished_h) +
         "\",\"configuration\":" + search::config_object(line.config) + ",\"objectives\":[" +
         support::json_string(metric) + "],\"times\":" + times_of(line.outcome) +
         ",\"invalidity\":" + support::json_string(invalidity_of(launch)) +
         ",\"correctness\":" + (is_correct ? "1" : "0") + ",\"measurements\":[" +
         measurements_of(launch, line, metric) + "]}";
}

void write_study(const ExportedStudy& exported, const fs::path& path) {
  support::StreamedFile file(path);
  file.add("{\"results\":[\n");
  const std::size_t count = exported.study.launches.size();
  for (std::size_t i = 0; i < count; ++i) {
    file.add(result_of(exported, i) + (i + 1 < count ? ",\n" : "\n"));
  }
  file.add("],\"schema_version\":\"1.0.0\"}\n");
  file.keep();
}

}  // namespace

std::vector<std::string> write_t4_export(const fs::path& folder, const fs::path& out) {
  std::vector<std::string> files;
  for_each_study(folder, [&](const ExportedStudy& exported) {
    files.push_back(fs::path(exported.study.file).stem().string() + ".json");
    write_study(exported, out / files.back());
  });
  return files;
}

}  // namespace cubicbench::results
