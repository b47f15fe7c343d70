#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "scenarios/problem/scenario.h"
#include "search/backends/backend.h"

namespace cubicbench::search {

/// What makes the backend of one study.
struct SlurmBackendOptions {
  const scenarios::Scenario* scenario = nullptr;  ///< must outlive the backend
  std::string script;                             ///< path of the template
  std::filesystem::path folder;                   ///< of the study's jobs, `DIR/jobs/STUDY`
  /// The hour on the study's clock that has passed: the last recorded one when it is resumed.
  double elapsed_h = 0.0;
  /// Of one launch; the scenario's `job.time_limit_s` unless given.
  std::optional<std::chrono::milliseconds> time_limit{};
  /// Told, each once, what a user should know of failures and of jobs that wait.
  std::function<void(const std::string&)> note{};
};

/// Runs each launch as a job of Slurm, those that are started together as one job array, in real
/// time and on the calling thread [docs/real-runs.md; docs/slurm.md]. A job reads the request
/// on its standard input and answers on its standard output, as a command does. Hours are those
/// between Slurm's start and end of the job, rounded to a second, since the study began, whether or
/// not the suite was alive; launches come back in the order in which they ended.
///
/// Jobs outlive it: destroying it ends none, and another one with the same folder, given the same
/// launches, finds them again.
///
/// Throws InputError for a template or a folder that is none. Its functions throw OutputError where
/// Slurm is not installed, refuses a job, or does not answer for too long.
std::unique_ptr<Backend> make_slurm_backend(const SlurmBackendOptions& options);

}  // namespace cubicbench::search
