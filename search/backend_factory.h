#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "scenarios/instance.h"
#include "search/backend.h"

namespace cubicbench::search {

enum class BackendKind { simulator, command };

/// Where trials are to run, as `--backend` has it.
struct BackendSpec {
  BackendKind kind = BackendKind::simulator;
  std::string command;  ///< what follows "command:"

  bool operator==(const BackendSpec&) const = default;
};

/// Reads "simulator" or "command:CMD". Throws InputError at `where`.
BackendSpec parse_backend(std::string_view text, const std::string& where);

/// Can a launch be repeated with the same outcome, and does it tell the truth beside it?
inline bool is_simulated(const BackendSpec& spec) { return spec.kind == BackendKind::simulator; }

/// The backend of one study. One that cannot repeat its launches hands out what `journal` holds of
/// an earlier run first. `instance` must outlive it. Throws InputError for a damaged journal.
std::unique_ptr<Backend> make_backend(const BackendSpec& spec, const scenarios::Instance& instance,
                                      const std::filesystem::path& journal);

}  // namespace cubicbench::search
