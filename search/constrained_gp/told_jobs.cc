#include "search/constrained_gp/told_jobs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/base/numeric.h"
#include "support/statistics/quantile.h"

namespace cubicbench::search {
namespace {

using scenarios::Reason;
using scenarios::TrialState;

constexpr double logarithm_of_what_ran = -0.25;
constexpr double margin_of_what_did_not = 0.01;

bool is_memory(Reason reason) { return reason == Reason::oom_init || reason == Reason::oom_late; }

JobEnd end_of(const ToldTrial& trial) {
  if (trial.state == TrialState::complete) {
    return trial.score && std::isfinite(*trial.score) ? JobEnd::ran : JobEnd::unknown;
  }
  if (trial.state != TrialState::fail || trial.reason == Reason::infra) return JobEnd::unknown;
  if (is_memory(trial.reason)) return JobEnd::out_of_memory;
  return trial.reason == Reason::timeout ? JobEnd::too_slow : JobEnd::failed;
}

std::optional<double> positive(std::optional<double> bytes) {
  return bytes && std::isfinite(*bytes) && *bytes > 0.0 ? bytes : std::nullopt;
}

/// 0 where none was told.
double largest_peak(std::span<const Job> jobs) {
  double largest = 0.0;
  for (const Job& job : jobs) largest = std::max(largest, job.peak_bytes.value_or(0.0));
  return largest;
}

}  // namespace

Job job_of(const ToldTrial& trial, predictor::Levels levels, double gpus) {
  Job job{.config = trial.config,
          .levels = std::move(levels),
          .end = end_of(trial),
          .hours = positive(trial.cost_gpu_hours).value_or(0.0) / gpus};
  if (job.end == JobEnd::ran) {
    job.score = *trial.score;
    job.peak_bytes = positive(trial.peak_bytes);
  } else if (job.end == JobEnd::out_of_memory) {
    job.over_bytes = positive(trial.over_bytes);
  }
  return job;
}

Lesson value_lesson(std::span<const Job> jobs, double tail) {
  Lesson lesson;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (jobs[i].end == JobEnd::ran) lesson.add(i, jobs[i].score);
  }
  if (lesson.targets.empty()) return lesson;
  const auto [low, high] = std::ranges::minmax(lesson.targets);
  for (double& target : lesson.targets) {
    if (low > 0.0) {
      target = sim::log(target);
    } else if (high < 0.0) {
      target = -sim::log(-target);
    }
  }
  if (tail > 0.0) {
    const double top = std::ranges::max(lesson.targets);
    const double floor = top - tail * (top - support::median(lesson.targets));
    for (double& target : lesson.targets) target = std::max(target, floor);
  }
  return lesson;
}

bool tells_bytes(std::span<const Job> jobs) {
  return std::ranges::any_of(jobs, [](const Job& job) { return job.peak_bytes || job.over_bytes; });
}

Lesson memory_lesson(std::span<const Job> jobs) {
  double limit = largest_peak(jobs);
  double least_over = std::numeric_limits<double>::infinity();
  for (const Job& job : jobs) {
    least_over = std::min(least_over, job.over_bytes.value_or(least_over));
  }
  if (limit == 0.0) limit = least_over;
  Lesson lesson;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[i];
    double target = 0.0;
    if (job.end == JobEnd::ran) {
      target = job.peak_bytes ? sim::log(*job.peak_bytes / limit) : logarithm_of_what_ran;
    } else if (job.end == JobEnd::out_of_memory) {
      target =
          margin_of_what_did_not + (job.over_bytes ? sim::log(1.0 + *job.over_bytes / limit) : 0.0);
    } else {
      continue;
    }
    lesson.add(i, target);
  }
  return lesson;
}

Lesson time_lesson(std::span<const Job> jobs) {
  double limit = std::numeric_limits<double>::infinity();
  for (const Job& job : jobs) {
    if (job.end == JobEnd::too_slow && job.hours > 0.0) limit = std::min(limit, job.hours);
  }
  Lesson lesson;
  if (std::isinf(limit)) return lesson;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[i];
    const bool slow = job.end == JobEnd::too_slow;
    if ((!slow && job.end != JobEnd::ran) || job.hours <= 0.0) continue;
    const double target = sim::log(job.hours / limit);
    lesson.add(i,
               slow ? target + margin_of_what_did_not : std::min(target, -margin_of_what_did_not));
  }
  return lesson;
}

Lesson failure_lesson(std::span<const Job> jobs, Failures failures) {
  Lesson lesson;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[i];
    const bool failed = (failures.others && job.end == JobEnd::failed) ||
                        (failures.memory && job.end == JobEnd::out_of_memory) ||
                        (failures.time && job.end == JobEnd::too_slow);
    if (!failed && job.end != JobEnd::ran) continue;
    lesson.add(i, failed ? 1.0 : -1.0);
  }
  return lesson;
}

}  // namespace cubicbench::search
