#include "results/prediction/job_times.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "results/layout/number_text.h"
#include "results/layout/series_look.h"
#include "support/csv.h"
#include "support/json/canonical.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

using datasets::Dataset;
using datasets::Job;
using datasets::JobStatus;

constexpr std::array<JobStatus, 3> statuses{JobStatus::ok, JobStatus::out_of_memory,
                                            JobStatus::untimed};

std::string_view name_of(JobStatus status) {
  switch (status) {
    case JobStatus::ok:
      return "ok";
    case JobStatus::out_of_memory:
      return "out_of_memory";
    case JobStatus::untimed:
      return "untimed";
  }
  return "";
}

std::string_view title_of(JobStatus status) {
  switch (status) {
    case JobStatus::ok:
      return "jobs that ran";
    case JobStatus::out_of_memory:
      return "jobs that ran out of memory";
    case JobStatus::untimed:
      return "jobs without a time";
  }
  return "";
}

/// Equal times keep the order of the dataset.
std::vector<const Job*> by_time(const Dataset& data) {
  std::vector<const Job*> jobs;
  for (const Job& job : data.jobs) jobs.push_back(&job);
  std::ranges::stable_sort(jobs, {}, [](const Job* job) { return job->when; });
  return jobs;
}

bool times_differ(const std::vector<const Job*>& jobs) {
  return !jobs.empty() && jobs.front()->when != jobs.back()->when;
}

/// In [0, 1]; 0 when all were launched at once. `jobs` are sorted.
double time_of(const Job& job, const std::vector<const Job*>& jobs) {
  const auto first = static_cast<double>(jobs.front()->when);
  const double length = static_cast<double>(jobs.back()->when) - first;
  return length > 0.0 ? (static_cast<double>(job.when) - first) / length : 0.0;
}

}  // namespace

Figure job_times_figure(const Dataset& data, const std::string& name) {
  Figure figure;
  figure.name = name;
  figure.title = data.name + ": number of GPUs of jobs in the order of their launch";
  const std::vector<const Job*> jobs = by_time(data);
  std::vector<double> gpus;
  for (const Job* const job : jobs) gpus.push_back(static_cast<double>(job->gpus));
  figure.x = {.label = "time of launch / time of the last launch", .min = 0.0, .max = 1.0};
  figure.y = log_axis("number of GPUs", gpus, AxisScale::log2);
  for (std::size_t i = 0; i < statuses.size(); ++i) {
    Series dots{.title = std::string(title_of(statuses[i])),
                .style = SeriesStyle::dots,
                .color = look_of(i).color,
                .width = 1.6,
                .mark = i == 0 ? PointMark::circle : PointMark::cross,
                .size = 0.5,
                .points = {}};
    for (const Job* const job : jobs) {
      if (job->status == statuses[i]) {
        dots.points.push_back({time_of(*job, jobs), static_cast<double>(job->gpus)});
      }
    }
    if (!dots.points.empty()) figure.series.push_back(dots);
  }
  if (!times_differ(jobs)) {
    figure.series.clear();
    figure.message = jobs.empty() ? "no job" : "nobody says when these jobs were launched";
  }
  return figure;
}

std::string job_times_csv(const Dataset& data) {
  using Record = std::array<std::string, 5>;
  std::string text = support::csv_record(Record{"job", "when", "time_plotted", "gpus", "status"});
  const std::vector<const Job*> jobs = by_time(data);
  for (const Job* const job : jobs) {
    text += support::csv_record(
        Record{job->id, std::to_string(job->when), support::shortest(time_of(*job, jobs)),
               std::to_string(job->gpus), std::string(name_of(job->status))});
  }
  return text;
}

std::string job_times_caption(const Dataset& data) {
  std::string text = "Each mark is one of " + grouped(data.jobs.size()) + " jobs of " + data.name +
                     ", by its time of launch (the first at 0, the last at 1) and its number of "
                     "GPUs.";
  if (data.left_out > 0) {
    text += " Left out: " + grouped(static_cast<std::uint64_t>(data.left_out)) +
            (data.left_out == 1 ? " job" : " jobs") +
            (data.simulated ? " that failed for another reason than memory."
                            : " that failed for another reason than memory, or whose measurement "
                              "is not to be relied on.");
  }
  const std::vector<const Job*> jobs = by_time(data);
  if (!times_differ(jobs)) return text;
  std::vector<double> gpus;
  for (const Job* const job : jobs) gpus.push_back(static_cast<double>(job->gpus));
  const auto middle_text = [](std::vector<double> counts) {
    return grouped(static_cast<std::uint64_t>(support::median_high(std::move(counts))));
  };
  const auto middle = gpus.begin() + static_cast<std::ptrdiff_t>(gpus.size() / 2);
  return text + " The median job of the earlier half has " + middle_text({gpus.begin(), middle}) +
         " GPUs, of the later half " + middle_text({middle, gpus.end()}) + ".";
}

}  // namespace cubicbench::results
