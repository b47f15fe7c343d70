#include "search/backends/backend_factory.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "scenarios/truth/instance.h"
#include "search/backends/command_backend.h"
#include "search/backends/recorded_backend.h"
#include "search/backends/recorded_scenario.h"
#include "search/backends/simulated_backends.h"
#include "search/backends/slurm_backend.h"
#include "search/backends/slurm_template.h"
#include "search/journal/journal.h"
#include "support/absolute_path.h"
#include "support/input_error.h"
#include "support/sha256.h"

namespace cubicbench::search {
namespace {

constexpr std::string_view simulator = "simulator";
constexpr std::string_view table = "table";
constexpr std::string_view command_prefix = "command:";
constexpr std::string_view slurm_prefix = "slurm:";
constexpr std::string_view recorded_prefix = "recorded:";
constexpr std::string_view hashed_prefix = "command-sha256:";
constexpr std::string_view hashed_slurm_prefix = "slurm-sha256:";
constexpr std::string_view hashed_recorded_prefix = "recorded-sha256:";

/// The launches of an earlier run of the study. None where it got no further than its header.
std::vector<JournalLine> recorded_in(const std::filesystem::path& journal) {
  if (!std::filesystem::exists(journal) || !has_header(journal)) return {};
  return read_journal(journal).lines;
}

/// Where the study of `DIR/journals/STUDY.jsonl` keeps its jobs, `DIR/jobs/STUDY`.
std::filesystem::path jobs_beside(const std::filesystem::path& journal) {
  return journal.parent_path().parent_path() / "jobs" / journal.stem();
}

}  // namespace

BackendSpec parse_backend(std::string_view text, const std::string& where) {
  if (text == simulator) return {};
  if (text == table) return {.kind = BackendKind::table};
  if (text.starts_with(command_prefix) && text.size() > command_prefix.size()) {
    return {.kind = BackendKind::command,
            .command = std::string(text.substr(command_prefix.size()))};
  }
  if (text.starts_with(slurm_prefix) && text.size() > slurm_prefix.size()) {
    return {.kind = BackendKind::slurm, .command = std::string(text.substr(slurm_prefix.size()))};
  }
  if (text.starts_with(recorded_prefix) && text.size() > recorded_prefix.size()) {
    return {.kind = BackendKind::recorded,
            .command = std::string(text.substr(recorded_prefix.size()))};
  }
  throw support::InputError(
      where, "expected simulator, table, recorded:DIR, command:CMD or slurm:TEMPLATE, got \"" +
                 support::shortened(text) + "\"");
}

std::string recorded_backend(std::string_view text) {
  const auto hidden_as = [&](std::string_view prefix, std::string_view hashed) {
    const bool hidden =
        text.starts_with(prefix) && support::has_absolute_path(text.substr(prefix.size()));
    return hidden ? std::string(hashed) + support::sha256_hex(text).substr(0, 16) : std::string();
  };
  const std::string hash = hidden_as(command_prefix, hashed_prefix) +
                           hidden_as(slurm_prefix, hashed_slurm_prefix) +
                           hidden_as(recorded_prefix, hashed_recorded_prefix);
  return hash.empty() ? std::string(text) : hash;
}

bool is_hashed_backend(std::string_view recorded) {
  return recorded.starts_with(hashed_prefix) || recorded.starts_with(hashed_slurm_prefix) ||
         recorded.starts_with(hashed_recorded_prefix);
}

bool plays_search(std::string_view recorded) {
  return recorded.starts_with(recorded_prefix) || recorded.starts_with(hashed_recorded_prefix);
}

bool repeats_itself(std::string_view recorded) {
  return recorded == simulator || recorded == table || plays_search(recorded);
}

std::string usual_backend(std::span<const scenarios::Scenario> scenarios) {
  const bool tables =
      !scenarios.empty() && std::ranges::all_of(scenarios, [](const scenarios::Scenario& scenario) {
        return scenario.measured != nullptr;
      });
  return std::string(tables ? table : simulator);
}

std::string mismatch(const BackendSpec& spec, const scenarios::Scenario& scenario) {
  if (spec.kind == BackendKind::recorded) return {};
  const bool measured = scenario.measured != nullptr;
  if (measured == (spec.kind == BackendKind::table)) return {};
  return measured ? "expected table with " + scenario.name +
                        ", which is a table of runs: nothing else knows its configurations"
                  : "expected simulator, recorded:DIR, command:CMD or slurm:TEMPLATE with " +
                        scenario.name + ", which has a model and no table of runs";
}

std::string searched_sha256(const BackendSpec& spec, const scenarios::Scenario& scenario,
                            std::uint64_t instance) {
  if (!is_repeatable(spec)) return {};
  if (spec.kind == BackendKind::table) return outcomes_sha256(scenario);
  if (spec.kind == BackendKind::recorded) return recorded_sha256(scenario, instance);
  return truth_sha256(scenarios::Instance(scenario, instance));
}

void check_backend(const BackendSpec& spec, const std::string& where) {
  if (spec.kind == BackendKind::slurm) read_slurm_template(spec.command, where);
}

std::unique_ptr<Backend> make_backend(const BackendSpec& spec, const scenarios::Scenario& scenario,
                                      std::uint64_t instance, const std::filesystem::path& journal,
                                      const std::function<void(const std::string&)>& note) {
  if (spec.kind == BackendKind::simulator) {
    return std::make_unique<SimulatorBackend>(scenarios::Instance(scenario, instance));
  }
  if (spec.kind == BackendKind::table || spec.kind == BackendKind::recorded) {
    return std::make_unique<TableBackend>(scenario);
  }
  if (spec.kind == BackendKind::slurm && journal.extension() != ".jsonl") {
    throw support::InputError("backend",
                              "expected one that keeps nothing, for a study without a "
                              "folder, got slurm");
  }
  std::vector<JournalLine> recorded = recorded_in(journal);
  const double started_h = recorded.empty() ? 0.0 : recorded.back().finished_h;
  auto backend = spec.kind == BackendKind::slurm
                     ? make_slurm_backend({.scenario = &scenario,
                                           .script = spec.command,
                                           .folder = jobs_beside(journal),
                                           .elapsed_h = started_h,
                                           .note = note})
                     : make_command_backend({.scenario = &scenario,
                                             .command = spec.command,
                                             .started_h = started_h,
                                             .note = note});
  return std::make_unique<RecordedBackend>(std::move(backend), std::move(recorded), journal);
}

}  // namespace cubicbench::search
