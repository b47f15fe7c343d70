#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "cli/options/options.h"

namespace cubicbench::cli {

/// What a subcommand plays: a whole training step, or one collective, which has nothing to fold, to
/// trace or to be late for; many steps, or one for the event engine alone, neither of which is
/// traced.
enum class EngineScope { step, collective, steps, played_step };

/// The engine that the command line asks for, and how it plays. What follows `event` is of the
/// event engine and holds its defaults where `event` is false.
struct EngineOptions {
  bool event = false;
  bool contention = true;
  bool fold = true;
  std::optional<std::uint64_t> jitter;    ///< seed of the GPUs' delays; nothing: all are on time
  std::optional<std::string> trace;       ///< file to write
  std::string trace_ranks;                ///< a list as it was typed; "": not said
  std::optional<std::string> conditions;  ///< file to read
};

/// The values as they were typed: whether one of them is wrong depends on the engine.
struct EngineAsked {
  std::optional<std::string> engine;
  std::array<std::optional<std::string>, 6> of_event{};  ///< in the order of the help text
};

/// --engine, unless there is but one, and the options of the event engine. Those that a collective
/// has no use for are known and not shown in the help text, so that whoever uses one learns why it
/// is refused.
void declare_engine(Options& options, EngineScope scope, EngineAsked& asked);

/// Throws InputError with everything that is wrong: a value that none of them takes, options of the
/// event engine without it, options that `scope` has no use for.
/// `event` is what counts where --engine is not given.
EngineOptions engine_options(const EngineAsked& asked, EngineScope scope, bool event = false);

}  // namespace cubicbench::cli
