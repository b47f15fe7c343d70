#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/options.h"
#include "cli/options/shared_options.h"
#include "search/launch/launcher.h"

namespace cubicbench::cli {

/// What the command line of `launch` asks for.
struct LaunchRequest {
  std::string scenario;
  std::vector<std::string> sets;
  const search::Launcher* launcher = nullptr;  ///< where it was read: never null in an answer
  std::string model;                           ///< "": what stands for one
  std::optional<std::filesystem::path> out;    ///< of launchers with a file
  bool dry_run = false;
  GlobalOptions global;
};

/// Which of the launchers has a file, and which a dry run, is looked at here.
void declare_launch(Options& options, LaunchRequest& asked);

}  // namespace cubicbench::cli
