#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/problem/scenario.h"

namespace cubicbench::datasets {

enum class ColumnKind { number, category };

/// One thing that is known of every job before it is launched.
struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::number;
  std::vector<std::string> levels{};  ///< names of a category's values; a cell holds the index

  bool operator==(const Column&) const = default;
};

/// Did a job run to its end?
enum class JobStatus {
  ok,             ///< yes, and `value` says how fast
  out_of_memory,  ///< no: the configuration does not fit
  untimed,        ///< it fitted, but how fast it ran is not to be learnt from
};

/// One finished job: everything about it but its features.
struct Job {
  std::string id;
  std::string workload;    ///< the model's name: what leave-one-workload-out leaves out
  std::string cluster;     ///< device, and what else tells clusters apart but their size
  std::string searcher{};  ///< what proposed it; empty where nobody says
  std::int64_t gpus = 1;
  std::int64_t when = 0;            ///< order of launch: smaller is earlier, equal is not told
  std::uint64_t configuration = 0;  ///< jobs that are repeats of one configuration share it
  JobStatus status = JobStatus::ok;
  std::optional<double> value{};       ///< of the target, above zero; present exactly when `ok`
  std::optional<double> noise_free{};  ///< the same without noise, where a simulator knows
};

/// Jobs with what was known of them at launch and what they came to: what predictors learn from.
/// A value: never changed once built; threads may share it.
struct Dataset {
  std::string name;
  std::string file{};                ///< as messages name it; empty: by `name`
  std::vector<std::string> notes{};  ///< what a reader should know, a sentence each
  std::string target = "tokens_per_s_per_gpu";
  scenarios::Direction direction = scenarios::Direction::maximize;
  /// Outcomes come from the simulator, so that who asks it for features is privileged.
  bool simulated = false;
  std::vector<Job> jobs;
  /// Jobs of the source that are not among them: they failed for another reason than memory, or
  /// what was measured of them is not to be learnt from.
  std::int64_t left_out = 0;
  std::vector<Column> columns;
  std::vector<double> cells;  ///< [jobs x columns], row after row; NaN where nothing is known
  /// What the nominal simulator says of each job, for predictors that ask it. The first is
  /// `simulated_column`, the second `memory_column`; terms of the step may follow.
  std::vector<Column> physics_columns;
  std::vector<double> physics;  ///< [jobs x physics columns]; NaN where the simulator has no answer
  /// Why it has none of the first timed job without; empty when it answers for every timed job.
  std::string no_physics_reason{};

  const std::string& where() const { return file.empty() ? name : file; }
  std::span<const double> row(std::size_t job) const {
    return std::span(cells).subspan(job * columns.size(), columns.size());
  }
  std::span<const double> physics_row(std::size_t job) const {
    return std::span(physics).subspan(job * physics_columns.size(), physics_columns.size());
  }
};

/// Is the target a rate per GPU, so that times its GPUs it is the whole job's?
inline bool is_per_gpu(const Dataset& data) { return data.target.ends_with("_per_gpu"); }

/// Natural logarithm of the target as the nominal simulator predicts it.
inline constexpr const char* simulated_column = "log_simulated";
/// Simulated demand for device memory over what the device has: above 1 it does not fit.
inline constexpr const char* memory_column = "memory_share";
/// As the first, in a job whose ranks keep each other waiting.
inline constexpr const char* slow_column = "log_simulated_slow";

/// Positions of the jobs that say how fast they were.
inline std::vector<std::size_t> timed_jobs(const Dataset& data) {
  std::vector<std::size_t> timed;
  for (std::size_t job = 0; job < data.jobs.size(); ++job) {
    if (data.jobs[job].status == JobStatus::ok) timed.push_back(job);
  }
  return timed;
}

/// Positions of all jobs that say whether they fit: those above, those that ran out of memory and
/// those that fitted but whose time is not to be learnt from.
inline std::vector<std::size_t> fitting_jobs(const Dataset& data) {
  // Every status says whether the job fitted; those of which nothing is known are no jobs here.
  std::vector<std::size_t> all(data.jobs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace cubicbench::datasets
