#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "scenarios/problem/scenario.h"
#include "search/backends/backend.h"

namespace cubicbench::search {

/// What runs a launch: the simulator, a table of runs or an earlier search, which are played again,
/// an external program, or jobs of Slurm.
enum class BackendKind { simulator, table, recorded, command, slurm };

/// Where trials are to run, as `--backend` has it.
struct BackendSpec {
  BackendKind kind = BackendKind::simulator;
  std::string command{};  ///< what follows "command:"; the path after "slurm:" or "recorded:"

  bool operator==(const BackendSpec&) const = default;
};

/// Reads "simulator", "table", "recorded:DIR", "command:CMD" or "slurm:TEMPLATE". Throws InputError
/// at `where`.
BackendSpec parse_backend(std::string_view text, const std::string& where);

/// `--backend` as plan.json and journals record it: as typed, but a command with an absolute path,
/// or with a '/' that may begin one, since that tells whose machine it was, by its hash,
/// "command-sha256:" and 16 hex digits; so it is with a template, and with a folder. Equal commands
/// have equal records, which is what `--resume` asks.
std::string recorded_backend(std::string_view text);

/// Is this such a hash, from which no command can be run?
bool is_hashed_backend(std::string_view recorded);

/// Does a launch come to the same outcome whenever it is repeated, in no time?
inline bool is_repeatable(const BackendSpec& spec) {
  return spec.kind == BackendKind::simulator || spec.kind == BackendKind::table ||
         spec.kind == BackendKind::recorded;
}

/// The same of a backend as journals record it.
bool repeats_itself(std::string_view recorded);

/// Is it, as journals record it, an earlier search that is played again?
bool plays_search(std::string_view recorded);

/// Does a launch that runs, and cannot be repeated, end when this process does?
inline bool ends_with_us(const BackendSpec& spec) { return spec.kind == BackendKind::command; }

/// Does it tell the noise-free value beside the outcome?
inline bool knows_truth(const BackendSpec& spec) { return spec.kind == BackendKind::simulator; }

/// Does it run a share of a job's steps?
inline bool runs_short_launches(const BackendSpec& spec) {
  return spec.kind == BackendKind::simulator;
}

/// What runs the launches of such scenarios unless somebody says otherwise: "table" where all are
/// tables of runs, else "simulator".
std::string usual_backend(std::span<const scenarios::Scenario> scenarios);

/// "expected ...", when the backend cannot run launches of the scenario; "" when it can.
std::string mismatch(const BackendSpec& spec, const scenarios::Scenario& scenario);

/// Whether each instance of a scenario is a problem of its own for the backend.
inline bool has_instances(const BackendSpec& spec) {
  return spec.kind == BackendKind::simulator || spec.kind == BackendKind::recorded;
}

/// What was searched, as the header of a journal has it: truth_sha256 of the instance, the hash of
/// a table's or an earlier search's outcomes, "" where trials really run. Of an earlier search,
/// `scenario` is what recorded_scenario() made of it.
std::string searched_sha256(const BackendSpec& spec, const scenarios::Scenario& scenario,
                            std::uint64_t instance);

/// Reads the template of a Slurm backend, so that errors in it are reported before anything is
/// written. Throws InputError at `where`.
void check_backend(const BackendSpec& spec, const std::string& where);

/// The backend of one study. One that cannot repeat its launches hands out what `journal` holds of
/// an earlier run first. What Slurm's keeps while the study goes on is in `jobs/STUDY` beside the
/// folder of the journal. `scenario`, of an earlier search what recorded_scenario() made of it,
/// must outlive it; `note` is told what a user should know of launches that failed. Requires that
/// there is no mismatch. Throws InputError for a damaged journal, and for Slurm's where `journal`
/// is in no folder of a search.
std::unique_ptr<Backend> make_backend(const BackendSpec& spec, const scenarios::Scenario& scenario,
                                      std::uint64_t instance, const std::filesystem::path& journal,
                                      const std::function<void(const std::string&)>& note);

}  // namespace cubicbench::search
