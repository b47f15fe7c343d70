#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "search/backends/backend.h"
#include "search/backends/slurm_end.h"
#include "search/backends/slurm_folder.h"
#include "search/backends/slurm_pace.h"
#include "search/backends/slurm_text.h"

namespace cubicbench::search {

/// Launches that were submitted together, and since when Slurm has not known of them.
struct OpenBatch {
  SlurmBatch batch;
  std::optional<SlurmPace::Clock::time_point> absent_since{};
};

/// How a launch ended, on the study's clock.
struct EndedJob {
  JobEnd end{};
  LoggedJob logged{};
  bool ended_by_us = false;
  double started_s = 0.0;
  double finished_s = 0.0;
};

/// A launch on its way: it waits to be submitted, or is a task of a batch, or has ended.
struct SlurmJob {
  Launch launch;
  std::string request{};
  std::shared_ptr<OpenBatch> open{};  ///< null: it waits to be submitted
  std::size_t task = 0;
  std::optional<SlurmPace::Clock::time_point> absent_since{};  ///< Slurm has not known of it
  bool looked_at_end = false;  ///< it had ended, and said nothing: a file system may be late
  std::optional<EndedJob> ended{};

  bool waits() const { return !open && !ended; }
  bool is_submitted() const { return open && open->batch.job && !ended; }
  LaunchKey key() const { return {.trial = launch.trial, .attempt = launch.attempt}; }
  SlurmId id() const { return open->batch.id(task); }
};

/// The launches of a study that are on their way, and the batches of the folder that they belong
/// to.
class SlurmJobs {
 public:
  /// With the batches of an earlier run. `folder` must outlive it.
  explicit SlurmJobs(SlurmFolder& folder);

  std::vector<SlurmJob>& all() { return jobs_; }
  const std::vector<SlurmJob>& all() const { return jobs_; }
  bool any_waits() const;
  bool any_ended() const;

  /// Takes up what an earlier run has submitted of the launch. A client that asks for something
  /// else than then has no use for it.
  void add(SlurmJob job);
  /// The one that ended first, which leaves. Requires any_ended().
  SlurmJob take_ended();

  void add(const std::shared_ptr<OpenBatch>& open) { batches_.push_back(open); }
  /// It was never submitted: its launches wait again.
  void dissolve(const std::shared_ptr<OpenBatch>& open);
  /// Batches of which we do not know whether sbatch got through.
  std::set<std::shared_ptr<OpenBatch>> unsure() const;
  /// Jobs of this study that no launch belongs to: a client now asks for another configuration, or
  /// an sbatch that was given up had submitted its job after all.
  std::vector<std::string> strays(const std::vector<QueuedJob>& queued) const;

 private:
  void find_earlier(SlurmJob& job);
  void disown(const std::shared_ptr<OpenBatch>& open, std::size_t task);

  SlurmFolder& folder_;
  std::vector<std::shared_ptr<OpenBatch>> batches_;
  std::set<SlurmId> disowned_;  ///< tasks that are no longer waited for
  std::vector<SlurmJob> jobs_;
};

}  // namespace cubicbench::search
