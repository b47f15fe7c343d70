#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "results/document/csv.h"
#include "results/document/number_text.h"
#include "results/document/series_look.h"
#include "results/prediction/prediction_figures.h"
#include "support/statistics/quantile.h"

namespace cubicbench::results {
namespace {

using datasets::Dataset;
using datasets::Job;
using datasets::JobStatus;
using Jobs = std::vector<const Job*>;

struct StatusText {
  JobStatus status;
  std::string_view name;
  const char* title;
};

constexpr StatusText statuses[] = {
    {JobStatus::ok, "ok", "jobs that ran"},
    {JobStatus::out_of_memory, "out_of_memory", "jobs that ran out of memory"},
    {JobStatus::untimed, "untimed", "jobs without a time"}};

/// Equal times keep the order of the dataset.
Jobs by_time(const Dataset& data) {
  Jobs jobs;
  for (const Job& job : data.jobs) jobs.push_back(&job);
  std::ranges::stable_sort(jobs, {}, &Job::when);
  return jobs;
}

bool times_differ(const Jobs& jobs) {
  return !jobs.empty() && jobs.front()->when != jobs.back()->when;
}

/// In [0, 1]; 0 when all were launched at once. `jobs` are sorted.
double time_of(const Job& job, const Jobs& jobs) {
  const auto first = static_cast<double>(jobs.front()->when);
  const double length = static_cast<double>(jobs.back()->when) - first;
  return length > 0.0 ? (static_cast<double>(job.when) - first) / length : 0.0;
}

Figure job_times_figure(const Dataset& data, const Jobs& jobs, const std::string& name) {
  Figure figure;
  figure.name = name;
  figure.title = data.name + ": number of GPUs of jobs in the order of their launch";
  std::vector<double> gpus;
  for (const Job* const job : jobs) gpus.push_back(static_cast<double>(job->gpus));
  figure.x = {.label = "time of launch / time of the last launch", .min = 0.0, .max = 1.0};
  figure.y = log_axis("number of GPUs", gpus, AxisScale::log2);
  if (!times_differ(jobs)) {
    figure.message = jobs.empty() ? "no job" : "the launch times of these jobs are unknown";
    return figure;
  }
  for (const StatusText& of : statuses) {
    Series dots{.title = of.title,
                .style = SeriesStyle::dots,
                .color = look_of(static_cast<std::size_t>(&of - statuses)).color,
                .width = 1.6,
                .mark = of.status == JobStatus::ok ? PointMark::circle : PointMark::cross,
                .size = 0.5};
    for (const Job* const job : jobs) {
      if (job->status != of.status) continue;
      dots.points.push_back({time_of(*job, jobs), static_cast<double>(job->gpus)});
    }
    if (!dots.points.empty()) figure.series.push_back(dots);
  }
  return figure;
}

std::string job_times_csv(const Jobs& jobs) {
  Table table{.columns = data_columns({"job", "when", "time_plotted", "gpus", "status"})};
  for (const Job* const job : jobs) {
    table.rows.push_back({job->id, job->when, time_of(*job, jobs), job->gpus,
                          std::ranges::find(statuses, job->status, &StatusText::status)->name});
  }
  return csv_of(table);
}

std::string median_gpus(Jobs::const_iterator begin, Jobs::const_iterator end) {
  std::vector<double> gpus;
  for (auto job = begin; job != end; ++job) gpus.push_back(static_cast<double>((*job)->gpus));
  return grouped(static_cast<std::uint64_t>(support::median_high(std::move(gpus))));
}

std::string job_times_caption(const Dataset& data, const Jobs& jobs) {
  std::string text = "Each mark is one of " + grouped(jobs.size()) + " jobs of " + data.name +
                     ", by its time of launch (the first at 0, the last at 1) and its number of "
                     "GPUs.";
  if (data.left_out > 0) {
    text += " Left out: " + counted(data.left_out, "job", "jobs") +
            " that failed for a reason other than memory" +
            (data.simulated ? "." : ", or whose measurement is unreliable.");
  }
  if (!times_differ(jobs)) return text;
  const auto middle = jobs.begin() + std::ssize(jobs) / 2;
  return text + " The median job of the earlier half has " + median_gpus(jobs.begin(), middle) +
         " GPUs, of the later half " + median_gpus(middle, jobs.end()) + ".";
}

}  // namespace

void add_job_times(const Dataset& data, const FigurePlace& place, Document& document) {
  const Jobs jobs = by_time(data);
  document.add(Drawing{.figure = job_times_figure(data, jobs, place.figure_id),
                       .caption = job_times_caption(data, jobs),
                       .stem = place.file_stem,
                       .csv = job_times_csv(jobs)});
}

}  // namespace cubicbench::results
