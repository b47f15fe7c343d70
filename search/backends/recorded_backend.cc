#include "search/backends/recorded_backend.h"

#include <algorithm>
#include <utility>

#include "support/input_error.h"

namespace cubicbench::search {

RecordedBackend::RecordedBackend(std::unique_ptr<Backend> backend, std::vector<JournalLine> lines,
                                 std::filesystem::path journal)
    : backend_(std::move(backend)), lines_(std::move(lines)), journal_(std::move(journal)) {}

void RecordedBackend::start(Launch launch) {
  if (next_ < lines_.size()) {
    not_started_.push_back(std::move(launch));
  } else {
    backend_->start(std::move(launch));
  }
}

Finished RecordedBackend::wait() { return next_ < lines_.size() ? recorded() : backend_->wait(); }

Finished RecordedBackend::recorded() {
  const JournalLine& line = lines_[next_];
  const auto launch = std::ranges::find_if(not_started_, [&](const Launch& one) {
    return one.trial == line.trial && one.attempt == line.attempt;
  });
  if (launch == not_started_.end()) {
    throw support::InputError(
        journal_.string() + ":" + std::to_string(next_ + 2),  // after the header, from 1
        "expected a launch that was running, got trial " + std::to_string(line.trial) +
            ", attempt " + std::to_string(line.attempt));
  }
  Finished finished{.launch = std::move(*launch),
                    .outcome = line.outcome,
                    .started_h = line.started_h,
                    .finished_h = line.finished_h};
  not_started_.erase(launch);
  if (++next_ == lines_.size()) {
    for (Launch& running : not_started_) backend_->start(std::move(running));
    not_started_.clear();
  }
  return finished;
}

}  // namespace cubicbench::search
