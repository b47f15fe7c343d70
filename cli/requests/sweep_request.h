#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/engine_options.h"
#include "cli/options/shared_options.h"
#include "results/studies/study_commands.h"
#include "results/sweep/sweep.h"

namespace cubicbench::cli {

/// What a command line asks to be swept, and where to.
struct SweepRequest {
  std::string name;
  std::vector<results::SweepAxis> axes;
  std::uint64_t instance = 0;
  std::optional<std::string> salt;
  EngineAsked engine;
  std::optional<std::string> table;
  std::optional<std::filesystem::path> out;
  bool markdown = false;
  GlobalOptions global;
};

void declare_sweep(Options& options, SweepRequest& asked);

/// The scenario as it was asked for.
results::AskedProblem problem_of(const SweepRequest& asked);

/// The command that makes the page again.
std::string command_of(const SweepRequest& asked);

/// The sweep. Throws InputError where the scenario or the engine's
/// options are wrong.
results::AskedSweep asked_sweep(const SweepRequest& asked);

}  // namespace cubicbench::cli
