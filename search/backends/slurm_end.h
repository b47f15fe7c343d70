#pragma once

#include <optional>
#include <string>

#include "search/backends/command_protocol.h"
#include "search/backends/slurm_folder.h"
#include "search/backends/slurm_text.h"

namespace cubicbench::search {

/// What the files of a job tell, whatever Slurm remembers of it. Moments are seconds since 1970.
struct LoggedJob {
  bool began = false;       ///< Slurm made the file of its output, as it does at the start
  std::string last_line{};  ///< of its standard output
  bool out_of_memory = false;
  bool reported_step = false;
  bool timed_out = false;  ///< Slurm wrote that into its standard error
  std::optional<double> started_s{};
  std::optional<double> ended_s{};  ///< it wrote something, last
};

LoggedJob read_logs(const SlurmBatch& batch, std::size_t task);

/// What the table of docs/real-runs.md is asked of a job that Slurm ended so. Its
/// `last_line` is that of `logged`, which has to outlive the result. `ended_by_us`: we asked Slurm
/// to end it at its time limit.
///
/// An exit code and a signal count where the job came to its end by itself. One that Slurm ended
/// has those of the blow: cancelled, preempted, on a node that failed.
ObservedJob observed_of(const JobEnd& end, const LoggedJob& logged, bool ended_by_us);

}  // namespace cubicbench::search
