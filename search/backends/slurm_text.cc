#include "search/backends/slurm_text.h"

#include <algorithm>
#include <array>
#include <span>

#include "support/parsed.h"

namespace cubicbench::search {
namespace {

using support::parsed;

/// The lines of a text, without their ends.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

/// The first `count` cells of a line; the last has the rest. Empty where there are fewer.
std::vector<std::string_view> cells_of(std::string_view line, std::size_t count) {
  std::vector<std::string_view> cells;
  while (cells.size() + 1 < count) {
    const std::size_t end = line.find('|');
    if (end == std::string_view::npos) return {};
    cells.push_back(line.substr(0, end));
    line.remove_prefix(end + 1);
  }
  cells.push_back(line);
  return cells;
}

/// "MM:SS", "HH:MM:SS" or "D-HH:MM:SS" in seconds; 0 for anything else.
double seconds_of(std::string_view elapsed) {
  double days = 0.0;
  if (const std::size_t dash = elapsed.find('-'); dash != std::string_view::npos) {
    days = parsed<double>(elapsed.substr(0, dash)).value_or(0.0);
    elapsed.remove_prefix(dash + 1);
  }
  double seconds = 0.0;
  while (!elapsed.empty()) {
    const std::size_t end = elapsed.find(':');
    const std::optional<std::int64_t> part = parsed<std::int64_t>(elapsed.substr(0, end));
    if (!part || *part < 0) return 0.0;
    seconds = seconds * 60.0 + static_cast<double>(*part);
    elapsed.remove_prefix(end == std::string_view::npos ? elapsed.size() : end + 1);
  }
  return days * 86'400.0 + seconds;
}

std::optional<double> moment_of(std::string_view text) {
  const std::optional<std::int64_t> seconds = parsed<std::int64_t>(text);
  if (!seconds || *seconds <= 0) return std::nullopt;
  return static_cast<double>(*seconds);
}

/// "3:0" is exit code 3, "0:9" the end by signal 9.
void read_exit(std::string_view text, JobEnd& end) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return;
  end.exit_code = parsed<int>(text.substr(0, colon)).value_or(-1);
  end.signal = parsed<int>(text.substr(colon + 1)).value_or(0);
}

/// The value of `key` in "KEY=VALUE KEY=VALUE ...". What is asked for stands before anything that a
/// user may name but the job's name, which is ours.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
  const std::string wanted = " " + std::string(key) + "=";
  const std::size_t found = line.find(wanted);
  if (found == std::string_view::npos) return std::nullopt;
  line.remove_prefix(found + wanted.size());
  return line.substr(0, line.find_first_of(" \n"));
}

bool has_any(std::string_view text, std::span<const std::string_view> phrases) {
  return std::ranges::any_of(phrases, [&](std::string_view phrase) {
    return text.find(phrase) != std::string_view::npos;
  });
}

}  // namespace

std::string text_of(const SlurmId& id) {
  return std::to_string(id.job) + (id.task ? "_" + std::to_string(*id.task) : "");
}

std::vector<QueuedJob> read_queue(std::string_view text) {
  constexpr std::size_t columns = 7;
  std::vector<QueuedJob> jobs;
  for (const std::string_view line : lines_of(text)) {
    const std::vector<std::string_view> cells = cells_of(line, columns);
    if (cells.empty()) continue;
    const std::optional<std::int64_t> job = parsed<std::int64_t>(cells[0]);
    if (!job) continue;
    jobs.push_back({.id = {.job = *job, .task = parsed<std::int64_t>(cells[1])},
                    .state = std::string(cells[2]),
                    .submitted_s = moment_of(cells[3]).value_or(0.0),
                    .running_s = seconds_of(cells[4]),
                    .reason = std::string(cells[5]),
                    .name = std::string(cells[6])});
  }
  return jobs;
}

bool is_end(std::string_view state) {
  constexpr std::array<std::string_view, 10> ends{
      "COMPLETED", "CANCELLED", "FAILED",   "TIMEOUT",       "NODE_FAIL",
      "PREEMPTED", "BOOT_FAIL", "DEADLINE", "OUT_OF_MEMORY", "REVOKED"};
  return std::ranges::find(ends, state) != ends.end();
}

std::optional<JobEnd> read_job(std::string_view line) {
  const std::optional<std::string_view> state = value_of(line, "JobState");
  const std::optional<std::string_view> exit = value_of(line, "ExitCode");
  if (!state || !exit) return std::nullopt;
  JobEnd end{.state = std::string(*state),
             .started_s = moment_of(value_of(line, "StartTime").value_or("")),
             .ended_s = moment_of(value_of(line, "EndTime").value_or(""))};
  read_exit(*exit, end);
  return end;
}

std::optional<JobEnd> read_account(std::string_view text, const SlurmId& id) {
  for (const std::string_view line : lines_of(text)) {
    const std::vector<std::string_view> cells = cells_of(line, 5);
    if (cells.empty() || cells[0] != text_of(id)) continue;
    // "CANCELLED by 1000"
    JobEnd end{.state = std::string(cells[1].substr(0, cells[1].find(' '))),
               .started_s = moment_of(cells[3]),
               .ended_s = moment_of(cells[4])};
    read_exit(cells[2], end);
    if (is_end(end.state)) return end;
  }
  return std::nullopt;
}

std::optional<std::int64_t> read_submitted(std::string_view text) {
  return parsed<std::int64_t>(text.substr(0, text.find_first_of(";\n")));
}

std::optional<std::int64_t> read_listed(std::string_view text) {
  return parsed<std::int64_t>(text.substr(0, text.find_first_not_of("0123456789")));
}

SlurmError error_of(std::string_view standard_error) {
  // The names of limits on how many jobs may wait, and what sbatch says while it tries again.
  constexpr std::array<std::string_view, 5> full{"MaxSubmitJob", "MaxSubmitPU", "MaxSubmitPA",
                                                 "sleeping and retrying",
                                                 "Resource temporarily unavailable"};
  constexpr std::array<std::string_view, 12> unreachable{"Unable to contact",
                                                         "not responding",
                                                         "Socket timed out",
                                                         "Zero Bytes",
                                                         "Connection refused",
                                                         "Connection timed",
                                                         "Connection reset",
                                                         "in standby mode",
                                                         "authentication",
                                                         "Munge",
                                                         "munge",
                                                         "communication"};
  if (has_any(standard_error, full)) return SlurmError::full;
  return has_any(standard_error, unreachable) ? SlurmError::unreachable : SlurmError::refused;
}

bool says_timeout(std::string_view line) {
  return line.starts_with("slurmstepd") && line.find("DUE TO TIME LIMIT") != std::string_view::npos;
}

bool says_out_of_memory(std::string_view line) {
  constexpr std::array<std::string_view, 4> phrases{"oom-kill", "oom_kill", "OOM Killed",
                                                    "Exceeded job memory limit"};
  return line.starts_with("slurmstepd") && has_any(line, phrases);
}

}  // namespace cubicbench::search
