#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "search/backends/slurm_commands.h"
#include "search/backends/slurm_folder.h"
#include "search/backends/slurm_jobs.h"
#include "search/backends/slurm_pace.h"
#include "search/backends/slurm_template.h"

namespace cubicbench::search {

/// Hands launches that wait to Slurm: together as a job array, one by one where an array was
/// refused, and again after a while where the queue is full.
class SlurmSubmission {
 public:
  using Clock = SlurmPace::Clock;
  using Stopped = std::function<bool()>;

  /// What it works with, all of which must outlive it.
  struct Parts {
    const SlurmTemplate* script = nullptr;
    SlurmFolder* folder = nullptr;
    SlurmCommands* commands = nullptr;
    SlurmPace* pace = nullptr;
    SlurmJobs* jobs = nullptr;
  };

  SlurmSubmission(const Parts& parts, double time_limit_s,
                  std::function<void(const std::string&)> note)
      : parts_(parts), time_limit_s_(time_limit_s), note_(std::move(note)) {}

  /// Not earlier.
  Clock::time_point next() const { return next_; }

  /// Requires a launch that waits. Throws OutputError where Slurm refuses the template.
  void submit(const Stopped& stopped);

 private:
  std::shared_ptr<OpenBatch> batch_of_waiting();
  std::vector<std::string> arguments_of(const SlurmBatch& batch) const;
  void submitted(OpenBatch& open, const SlurmReply& reply);
  void not_submitted(const std::shared_ptr<OpenBatch>& open, const SlurmReply& reply);

  Parts parts_;
  double time_limit_s_;
  std::function<void(const std::string&)> note_;
  Clock::time_point next_{};
  bool singly_ = false;  ///< an array was refused: what waits is submitted one by one
  int refusals_ = 0;     ///< one after the other, for the queue was full
  bool noted_full_ = false;
};

}  // namespace cubicbench::search
