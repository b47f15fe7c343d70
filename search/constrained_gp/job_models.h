#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "predictor/gaussian_process/kernel_choice.h"
#include "search/constrained_gp/acquisition.h"
#include "search/constrained_gp/learnt_process.h"
#include "search/constrained_gp/told_jobs.h"

namespace cubicbench::search {

/// What is modelled, and how.
struct ModelOptions {
  bool rates = true;     ///< knobs may get a rate of their own
  bool memory = true;    ///< memory is a number where bytes are told
  bool time = true;      ///< time is a number where launches are too slow
  double tail = 0.0;     ///< see value_lesson()
  double explore = 1.0;  ///< see Acquisition
  std::size_t keep = 300;
};

/// The jobs of a study and what they teach: what others are worth and whether they would run.
class JobModels {
 public:
  /// `axes` must outlive this.
  JobModels(std::span<const predictor::KnobAxis> axes, const ModelOptions& options);

  /// A job whose configuration is there already takes the place of that one.
  void add(Job job);

  std::span<const Job> jobs() const { return jobs_; }

  /// Learns from what was added. To be called before the models are asked.
  void learn();
  /// The same to recommend: with kernels that are chosen anew, and without the long tail of what is
  /// bad.
  void learn_to_recommend();

  /// Goes on as if this, which runs, had ended as expected, until something is learnt.
  void believe(std::span<const std::uint8_t> levels);

  /// Is there anything to tell configurations apart by?
  bool informed() const { return value_.informed() || !limits().empty(); }

  /// Of what ran, the best by what is expected of it; where nothing is, the first.
  std::vector<std::size_t> best_jobs(std::size_t count) const;

  /// With what the best job is expected to be worth as what is to be improved on. Until something
  /// is added or believed.
  Acquisition acquisition() const;
  /// With what the worst that ran is expected to be worth: nearly what is expected of a job, so
  /// that a failure counts as much as the worst success.
  Acquisition gain_over_worst() const;

  /// The job that is worth most to recommend, if any is expected to be worth something. One that
  /// fails after all costs as much as the best gained over the first that ran.
  std::optional<std::size_t> recommended() const;

 private:
  void forget();
  void learn(double tail);
  Lesson ranked() const;
  std::vector<const predictor::GaussianProcess*> limits() const;
  /// That a job that ran would again, with as much luck in its time as speeds have.
  double chance_to_run(const Job& job) const;

  ModelOptions options_;
  std::vector<Job> jobs_;
  LearntProcess value_;
  LearntProcess memory_;
  LearntProcess time_;
  LearntProcess failure_;
  bool learnt_ = true;
  bool bytes_ = false;  ///< were bytes told?
};

}  // namespace cubicbench::search
