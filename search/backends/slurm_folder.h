#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "search/backends/slurm_text.h"
#include "support/files.h"

namespace cubicbench::search {

/// A launch by its numbers.
struct LaunchKey {
  std::int64_t trial = 0;
  std::int64_t attempt = 0;
  auto operator<=>(const LaunchKey&) const = default;
};

/// A launch that is to be submitted.
struct RequestedLaunch {
  LaunchKey key;
  std::string request;  ///< the line that the job reads
};

/// Launches that are submitted together: one job, or a job array whose tasks are numbered from 0 in
/// this order.
struct SlurmBatch {
  std::filesystem::path folder{};
  std::string name{};  ///< of the job in Slurm; no other job anywhere has it
  std::vector<LaunchKey> launches{};
  std::optional<std::int64_t> job{};  ///< its number, where it is known to have been submitted

  bool is_array() const { return launches.size() > 1; }
  /// What Slurm calls a launch of it. Requires that it was submitted.
  SlurmId id(std::size_t task) const;
  /// The file of one launch: "request", "out", "err", or a mark.
  std::filesystem::path file(std::size_t task, const std::string& kind) const;
  /// The same for all of them, as sbatch is told it: `%a` in the place of the task's number.
  std::string pattern(const std::string& kind) const;
};

/// What a study that runs on Slurm keeps while it goes on, so that a suite that was killed finds
/// its jobs again: `DIR/jobs/STUDY/`, with a folder a batch, which appears whole before sbatch is
/// called and has the job's number after.
///
/// Held by one living process, and by the sbatch that it started: one that outlives its suite is
/// waited for. Functions throw OutputError, and the constructor InputError for what is damaged.
class SlurmFolder {
 public:
  /// Makes the folder, or takes up that of an earlier run. `elapsed_s`: seconds on the study's
  /// clock that have passed at least.
  SlurmFolder(const std::filesystem::path& folder, double elapsed_s);

  /// The batches of an earlier run.
  const std::vector<SlurmBatch>& earlier() const { return earlier_; }
  /// Second 0 of the study's clock, in seconds since 1970.
  double began_s() const { return began_s_; }
  /// Has a job of this study such a name?
  bool is_ours(const std::string& name) const { return name.starts_with(name_ + "-"); }
  /// An open file with a lock, for sbatch to hold.
  int held() const { return lock_.get(); }

  /// Writes down what is about to be submitted.
  SlurmBatch add(const std::vector<RequestedLaunch>& launches) const;
  /// Writes down that it was.
  void submitted(SlurmBatch& batch, std::int64_t job) const;
  void remove(const SlurmBatch& batch) const;

  /// Removes everything: the study is over.
  void remove_all();

 private:
  void lock();
  void read_name(double elapsed_s);
  void read_batches();

  std::filesystem::path folder_;
  support::FileDescriptor lock_;
  std::string name_;
  double began_s_ = 0.0;
  std::vector<SlurmBatch> earlier_;
};

}  // namespace cubicbench::search
