#include "search/backends/slurm_jobs.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>

#include "support/files.h"

namespace cubicbench::search {

SlurmJobs::SlurmJobs(SlurmFolder& folder) : folder_(folder) {
  for (const SlurmBatch& batch : folder_.earlier()) {
    batches_.push_back(std::make_shared<OpenBatch>(OpenBatch{.batch = batch}));
  }
}

bool SlurmJobs::any_waits() const { return std::ranges::any_of(jobs_, &SlurmJob::waits); }

bool SlurmJobs::any_ended() const {
  return std::ranges::any_of(jobs_, [](const SlurmJob& job) { return job.ended.has_value(); });
}

void SlurmJobs::add(SlurmJob job) {
  if (!job.ended) find_earlier(job);
  jobs_.push_back(std::move(job));
}

SlurmJob SlurmJobs::take_ended() {
  const auto first = std::ranges::min_element(jobs_, {}, [](const SlurmJob& job) {
    return std::tuple(!job.ended, job.ended ? job.ended->finished_s : 0.0, job.launch.trial);
  });
  SlurmJob job = std::move(*first);
  jobs_.erase(first);
  return job;
}

void SlurmJobs::find_earlier(SlurmJob& job) {
  for (const auto& open : batches_) {
    const std::vector<LaunchKey>& keys = open->batch.launches;
    const auto found = std::ranges::find(keys, job.key());
    if (found == keys.end()) continue;
    const auto task = static_cast<std::size_t>(found - keys.begin());
    if (support::read_file(open->batch.file(task, "request")) == job.request) {
      job.open = open;
      job.task = task;
      return;
    }
    return disown(open, task);
  }
}

/// Nobody waits for it: strays() has it.
void SlurmJobs::disown(const std::shared_ptr<OpenBatch>& open, std::size_t task) {
  const SlurmBatch& batch = open->batch;
  if (batch.job) {
    disowned_.insert(batch.id(task));
  } else if (std::ranges::none_of(jobs_, [&](const SlurmJob& job) { return job.open == open; })) {
    std::erase(batches_, std::shared_ptr(open));
  }
}

void SlurmJobs::dissolve(const std::shared_ptr<OpenBatch>& open) {
  for (SlurmJob& job : jobs_) {
    if (job.open == open) job.open = nullptr;
  }
  folder_.remove(open->batch);
  std::erase(batches_, open);
}

std::set<std::shared_ptr<OpenBatch>> SlurmJobs::unsure() const {
  std::set<std::shared_ptr<OpenBatch>> unsure;
  for (const SlurmJob& job : jobs_) {
    if (job.open && !job.open->batch.job && !job.ended) unsure.insert(job.open);
  }
  return unsure;
}

std::vector<std::string> SlurmJobs::strays(const std::vector<QueuedJob>& queued) const {
  std::set<std::int64_t> known;
  std::set<std::string> names;
  for (const auto& open : batches_) {
    if (open->batch.job) known.insert(*open->batch.job);
    if (!open->batch.job) names.insert(open->batch.name);
  }
  std::vector<std::string> strays;
  for (const QueuedJob& job : queued) {
    if (is_end(job.state) || !folder_.is_ours(job.name) || names.contains(job.name)) continue;
    if (!known.contains(job.id.job) || disowned_.contains(job.id)) {
      strays.push_back(text_of(job.id));
    }
  }
  return strays;
}

}  // namespace cubicbench::search
