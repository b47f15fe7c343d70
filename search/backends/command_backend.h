#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "scenarios/problem/scenario.h"
#include "search/backends/backend.h"

namespace cubicbench::search {

/// What makes the backend of one study.
struct CommandBackendOptions {
  const scenarios::Scenario* scenario = nullptr;  ///< must outlive the backend
  std::string command;                            ///< run by /bin/sh, in the working folder
  /// The hour on the study's clock at which this part of it begins: the last recorded one when it
  /// is resumed.
  double started_h = 0.0;
  /// Of one launch; the scenario's `job.time_limit_s` unless given.
  std::optional<std::chrono::milliseconds> time_limit{};
  /// Between SIGTERM and SIGKILL.
  std::chrono::milliseconds grace{5000};
  /// Told, each once, why the first last line that is no answer is none, where that made a failure
  /// of a launch, and what the first answer of a failure says in its `message`.
  std::function<void(const std::string&)> note{};
};

/// Runs each launch as an external command, up to as many at once as are started, in real time and
/// on the calling thread [docs/real-runs.md]. Hours are rounded to a
/// second, and launches come back in the order in which they end. Destroying it ends what runs.
///
/// Throws OutputError where the shell cannot be started, and where the first launch to end says
/// that there is no such command or it cannot be executed (exit 127 or 126 and no answer); from
/// then on that is the failure `infra` of one launch.
std::unique_ptr<Backend> make_command_backend(const CommandBackendOptions& options);

}  // namespace cubicbench::search
