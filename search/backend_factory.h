#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "scenarios/instance.h"
#include "search/backend.h"

namespace cubicbench::search {

/// What runs a launch: this program, or an external one.
enum class BackendKind { simulator, command };

/// Where trials are to run, as `--backend` has it.
struct BackendSpec {
  BackendKind kind = BackendKind::simulator;
  std::string command;  ///< what follows "command:"

  bool operator==(const BackendSpec&) const = default;
};

/// Reads "simulator" or "command:CMD". Throws InputError at `where`.
BackendSpec parse_backend(std::string_view text, const std::string& where);

/// `--backend` as plan.json and journals record it: as typed, but a command with an absolute path,
/// or with a '/' that may begin one, since that tells whose machine it was, by its hash,
/// "command-sha256:" and 16 hex digits. Equal commands have equal records, which is what `--resume`
/// asks.
std::string recorded_backend(std::string_view text);

/// Is this such a hash, from which no command can be run?
bool is_hashed_backend(std::string_view recorded);

/// Can a launch be repeated with the same outcome, and does it tell the truth beside it?
inline bool is_simulated(const BackendSpec& spec) { return spec.kind == BackendKind::simulator; }

/// The backend of one study. One that cannot repeat its launches hands out what `journal` holds of
/// an earlier run first. `instance` must outlive it; `note` is told what a user should know of
/// launches that failed. Throws InputError for a damaged journal.
std::unique_ptr<Backend> make_backend(const BackendSpec& spec, const scenarios::Instance& instance,
                                      const std::filesystem::path& journal,
                                      const std::function<void(const std::string&)>& note);

}  // namespace cubicbench::search
