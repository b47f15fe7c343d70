#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "search/backends/slurm_text.h"

namespace cubicbench::search {

/// What a program of Slurm said. One that did not end in time, and one that we ended since we are
/// to stop, was not successful.
struct SlurmReply {
  bool success = false;
  bool interrupted = false;  ///< we are to stop
  bool cut_short = false;    ///< sbatch, which slept before it tried again, was ended by us
  std::string out{};
  std::string err{};

  SlurmError error() const { return error_of(err); }
  /// The last line of `err` for a message.
  std::string complaint() const;
};

/// Runs Slurm's programs, which PATH is searched for, one at a time, on the calling thread. What
/// the environment has for a job that we run in ourselves, and defaults of options that we read, is
/// kept from them.
class SlurmCommands {
 public:
  using Stopped = std::function<bool()>;

  /// `held` is a descriptor that sbatch holds while it runs. It is not owned.
  explicit SlurmCommands(int held);

  /// Of all jobs of this user that Slurm knows. `out` is what read_queue() reads.
  SlurmReply queue(const Stopped& stopped) const;
  /// Submits a job. sbatch is ended once it says that it sleeps and tries again, which is left to
  /// the caller.
  SlurmReply submit(std::vector<std::string> arguments, const Stopped& stopped) const;
  /// `out` is what read_job() reads.
  SlurmReply job(const SlurmId& id, const Stopped& stopped) const;
  /// `out` is what read_account() reads. Unsuccessful where Slurm keeps no accounts.
  SlurmReply account(const SlurmId& id, const std::string& name, const Stopped& stopped) const;
  /// Numbers of jobs of that name that the accounts of the last 30 days have, a line each.
  SlurmReply account(const std::string& name, const Stopped& stopped) const;
  SlurmReply cancel(const std::vector<std::string>& what, const Stopped& stopped) const;

 private:
  /// Throws OutputError where there is no such program.
  SlurmReply run(std::vector<std::string> arguments, const Stopped& stopped,
                 bool is_sbatch = false) const;

  int held_;
  std::vector<std::string> environment_;
};

}  // namespace cubicbench::search
