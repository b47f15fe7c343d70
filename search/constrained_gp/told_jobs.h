#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "predictor/gaussian_process/product_kernel.h"
#include "search/searchers/searcher.h"

namespace cubicbench::search {

enum class JobEnd {
  ran,
  out_of_memory,
  too_slow,  ///< a job that hung or missed its time limit or deadline
  failed,    ///< for another reason that lies in the configuration
  unknown,   ///< says nothing: broken nodes, trials without a score
};

/// A job that has ended, as a model learns from it.
struct Job {
  scenarios::Configuration config;
  predictor::Levels levels;
  JobEnd end = JobEnd::unknown;
  double score = 0.0;                  ///< of one that ran, finite
  std::optional<double> peak_bytes{};  ///< of one that ran, where it is told
  std::optional<double> over_bytes{};  ///< of one that ran out of memory, likewise
  double hours = 0.0;                  ///< of the cluster's time
};

/// `gpus`: of the launch, or any number where all launches have the same.
Job job_of(const ToldTrial& trial, predictor::Levels levels, double gpus);

/// Jobs, by their places, and what a model is to say of them.
struct Lesson {
  std::vector<std::size_t> jobs;
  std::vector<double> targets;

  void add(std::size_t job, double target) {
    jobs.push_back(job);
    targets.push_back(target);
  }
};

/// The logarithm of the scores of what ran, where all have one sign, else the scores. With `tail`
/// nothing is further below the best than that many times the median is: how bad the bad are says
/// little of the good.
Lesson value_lesson(std::span<const Job> jobs, double tail = 0.0);

/// The logarithm of the memory over the limit: that of the largest peak that ran is 0. Of what ran
/// without saying how much it took it is -0.25; what ran out of memory lacked some. Nothing where
/// no job told any bytes.
Lesson memory_lesson(std::span<const Job> jobs);

/// The logarithm of the hours that launches took over the fewest of one that was too slow. Nothing
/// where none was.
Lesson time_lesson(std::span<const Job> jobs);

/// Which failures a lesson is about.
struct Failures {
  bool memory = false;
  bool time = false;
  bool others = true;
};

/// -1 for what ran, 1 for what failed so.
Lesson failure_lesson(std::span<const Job> jobs, Failures failures);

bool tells_bytes(std::span<const Job> jobs);

}  // namespace cubicbench::search
