#include "search/journal/study_log.h"

namespace cubicbench::search {

StudyLog::StudyLog(const std::filesystem::path& journal, const JournalHeader& header, bool sync)
    : journal_(journal, sync) {
  journal_.put(journal_text(header));
}

void StudyLog::keep_truth(const std::filesystem::path& truth, const TruthHeader& header,
                          bool sync) {
  truth_.emplace(truth, sync);
  truth_->put(truth_text(header));
}

void StudyLog::record(const JournalLine& line, const std::optional<TruthLine>& truth) {
  if (truth_ && truth) truth_->put(truth_text(*truth));
  journal_.put(journal_text(line));
}

void StudyLog::require_end() const {
  journal_.require_end();
  if (truth_) truth_->require_end();
}

}  // namespace cubicbench::search
