#include "search/backends/slurm_submission.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "support/input_error.h"

namespace cubicbench::search {
namespace {

using std::chrono::milliseconds;

/// Slurm's own limit is 1001 unless its administrator set another.
constexpr std::size_t array_max = 1000;

}  // namespace

void SlurmSubmission::submit(const Stopped& stopped) {
  const std::shared_ptr<OpenBatch> open = batch_of_waiting();
  const SlurmReply reply = parts_.commands->submit(arguments_of(open->batch), stopped);
  if (reply.success) return submitted(*open, reply);
  if (!reply.interrupted) not_submitted(open, reply);
}

std::shared_ptr<OpenBatch> SlurmSubmission::batch_of_waiting() {
  std::vector<SlurmJob*> chosen;
  std::vector<RequestedLaunch> requested;
  for (SlurmJob& job : parts_.jobs->all()) {
    if (!job.waits() || chosen.size() == (singly_ ? 1 : array_max)) continue;
    chosen.push_back(&job);
    requested.push_back({.key = job.key(), .request = job.request});
  }
  auto open = std::make_shared<OpenBatch>(OpenBatch{.batch = parts_.folder->add(requested)});
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    chosen[i]->open = open;
    chosen[i]->task = i;
  }
  parts_.jobs->add(open);
  return open;
}

std::vector<std::string> SlurmSubmission::arguments_of(const SlurmBatch& batch) const {
  std::vector<std::string> arguments{"--job-name=" + batch.name};
  for (const auto& [option, kind] : {std::pair("--input=", "request"),
                                     std::pair("--output=", "out"), std::pair("--error=", "err")}) {
    arguments.push_back(option + batch.pattern(kind));
  }
  if (batch.is_array()) {
    arguments.push_back("--array=0-" + std::to_string(batch.launches.size() - 1));
  }
  if (!parts_.script->has_time_limit) {
    const auto minutes = static_cast<std::int64_t>(std::ceil(time_limit_s_ / 60.0));
    arguments.push_back("--time=" + std::to_string(minutes));
  }
  arguments.push_back(parts_.script->path.string());
  return arguments;
}

void SlurmSubmission::submitted(OpenBatch& open, const SlurmReply& reply) {
  const std::optional<std::int64_t> number = read_submitted(reply.out);
  if (!number) {
    throw support::OutputError("sbatch printed no number of a job, but " +
                               support::in_quotes(support::shortened(reply.out)));
  }
  parts_.folder->submitted(open.batch, *number);
  singly_ = singly_ && parts_.jobs->any_waits();
  refusals_ = 0;
  parts_.pace->quicken(Clock::now());
}

void SlurmSubmission::not_submitted(const std::shared_ptr<OpenBatch>& open,
                                    const SlurmReply& reply) {
  const bool is_array = open->batch.is_array();
  const SlurmError error = reply.error();
  const Clock::time_point now = Clock::now();
  if (error == SlurmError::unreachable) return parts_.pace->unanswered(now, reply.complaint());
  singly_ = singly_ || is_array;
  if (error == SlurmError::full && !noted_full_) {
    noted_full_ = true;
    note_("Slurm takes no more jobs for now (" + reply.complaint() + "); trying again");
  }
  // Ended by us while it slept, it may just have got through: the queue will tell.
  if (reply.cut_short) return parts_.pace->quicken(now);
  parts_.jobs->dissolve(open);
  if (is_array) return;
  if (error == SlurmError::refused) {
    throw support::OutputError(
        "sbatch refused " + support::in_quotes(support::shortened(parts_.script->path.string())) +
        ": " + reply.complaint());
  }
  const milliseconds pause{1000 << std::min(refusals_++, 10)};
  next_ = now + std::min(pause, parts_.script->poll);
}

}  // namespace cubicbench::search
