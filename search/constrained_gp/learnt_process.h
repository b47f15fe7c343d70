#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "predictor/gaussian_process/gaussian_process.h"
#include "predictor/gaussian_process/kernel_choice.h"
#include "search/constrained_gp/told_jobs.h"

namespace cubicbench::search {

/// Which rows of a lesson that is too long are kept beside the latest.
enum class Kept {
  highest,       ///< those with the highest targets
  next_to_zero,  ///< those nearest to a limit
};

/// A Gaussian process of a lesson that grows: new rows are added to what is there, and the kernel
/// is chosen anew when it has grown by a fifth.
class LearntProcess {
 public:
  LearntProcess(std::span<const predictor::KnobAxis> axes, predictor::KernelSearch search,
                std::size_t keep, Kept kept_rows)
      : axes_(axes), search_(std::move(search)), keep_(keep), kept_rows_(kept_rows) {}

  /// Learns all of it; rows come only at the end, targets may change. Without two different targets
  /// there is no process.
  void learn(std::span<const Job> jobs, const Lesson& lesson);

  /// Goes on as if this, which still runs, had ended as expected: what is near it is known then.
  /// Until learn() is called again.
  void believe(std::span<const std::uint8_t> levels);

  /// Begins with nothing: rows have changed.
  void forget() { process_.reset(); }

  /// What it expects of the jobs that it keeps, by their places.
  Lesson expected() const;

  bool informed() const { return process_.has_value() && process_->rows() > 0; }
  const predictor::GaussianProcess& process() const { return *process_; }

 private:
  void begin(std::span<const Job> jobs, const Lesson& lesson);

  std::span<const predictor::KnobAxis> axes_;
  predictor::KernelSearch search_;
  std::size_t keep_;
  Kept kept_rows_;
  std::optional<predictor::GaussianProcess> process_;
  std::vector<std::size_t> kept_;  ///< rows of the lesson that the process has
  std::vector<std::size_t> jobs_;  ///< the same, by their places among all jobs
  std::size_t seen_ = 0;           ///< rows of the lesson that it has looked at
  std::size_t next_choice_ = 0;    ///< rows at which the kernel is chosen anew
  std::vector<double> targets_;    ///< of `kept_`, then what is believed
};

}  // namespace cubicbench::search
