#include "search/learnt/learnt_jobs.h"

#include <algorithm>
#include <functional>

namespace cubicbench::search {

std::vector<std::size_t> best_jobs(std::span<const Job> jobs, std::size_t count) {
  std::vector<std::size_t> ran;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (jobs[i].end == JobEnd::ran) ran.push_back(i);
  }
  std::ranges::stable_sort(ran, std::ranges::greater{},
                           [&](std::size_t i) { return jobs[i].score; });
  if (ran.size() > count) ran.resize(count);
  return ran;
}

std::vector<scenarios::Configuration> best_configs(std::span<const Job> jobs, std::size_t count) {
  std::vector<scenarios::Configuration> configs;
  for (const std::size_t job : best_jobs(jobs, count)) configs.push_back(jobs[job].config);
  return configs;
}

Lesson lesson_with_failures(std::span<const Job> jobs) {
  Lesson ran = value_lesson(jobs);
  if (ran.jobs.empty()) return ran;
  const double worst = std::ranges::min(ran.targets);
  Lesson lesson;
  std::size_t next = 0;
  for (std::size_t job = 0; job < jobs.size(); ++job) {
    if (next < ran.jobs.size() && ran.jobs[next] == job) {
      lesson.add(job, ran.targets[next]);
      ++next;
    } else if (jobs[job].end != JobEnd::unknown) {
      lesson.add(job, worst);
    }
  }
  return lesson;
}

}  // namespace cubicbench::search
