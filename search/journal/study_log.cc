#include "search/journal/study_log.h"

#include <string>

#include "support/input_error.h"

namespace cubicbench::search {

void KeptRecord::take(const JournalLine& line, const std::optional<TruthLine>& truth) {
  writer_.take(line);
  if (truth) record_.launches.back().truth = truth->truth;
}

StudyRecord KeptRecord::record() && {
  record_.shrink_to_fit();
  return std::move(record_);
}

void StudyLog::require_every_launch(const RecordedStudy& recorded) const {
  const std::int64_t truths = truth_ ? truth_->earlier_lines() - 1 : 0;
  if (truths > recorded.launches + 1) {
    throw support::InputError(truth_->path().string(),
                              "expected a line of each launch of the journal, which has " +
                                  std::to_string(recorded.launches) +
                                  ", and one more at most, got " + std::to_string(truths));
  }
}

}  // namespace cubicbench::search
