#pragma once

#include <string>
#include <string_view>

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

}  // namespace cubicbench::search
