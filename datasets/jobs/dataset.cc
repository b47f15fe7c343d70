#include "datasets/jobs/dataset.h"

namespace cubicbench::datasets {

bool is_per_gpu(const Dataset& data) { return data.target.ends_with("_per_gpu"); }

std::vector<std::size_t> timed_jobs(const Dataset& data) {
  std::vector<std::size_t> timed;
  for (std::size_t job = 0; job < data.jobs.size(); ++job) {
    if (data.jobs[job].status == JobStatus::ok) timed.push_back(job);
  }
  return timed;
}

std::vector<std::size_t> fitting_jobs(const Dataset& data) {
  // Every status says whether the job fitted; those of which nothing is known are no jobs here.
  std::vector<std::size_t> all(data.jobs.size());
  for (std::size_t job = 0; job < all.size(); ++job) all[job] = job;
  return all;
}

}  // namespace cubicbench::datasets
