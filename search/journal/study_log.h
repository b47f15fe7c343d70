#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "search/journal/journal.h"
#include "search/journal/recorded_study.h"
#include "search/journal/study_record.h"
#include "search/journal/truth_line.h"
#include "search/journal/verified_log.h"

namespace cubicbench::search {

/// Where a study leaves its files.
struct StudyPlaces {
  LogPlace journal;
  LogPlace truth;
};

/// The record of a study that is being written.
class KeptRecord {
 public:
  KeptRecord(const JournalHeader& header, std::shared_ptr<ConfigWords> words) {
    static_cast<JournalHeader&>(record_) = header;
    record_.configs = StudyConfigs(std::move(words));
  }

  void take(const JournalLine& line, const std::optional<TruthLine>& truth);
  void recommend(const ConfigText& config) { record_.stated = config; }
  StudyRecord record() &&;

 private:
  StudyRecord record_{};
  RecordWriter writer_{record_};
};

/// What a study leaves behind: its journal and, from a simulator, the truth beside it.
class StudyLog {
 public:
  /// Continues the files of an earlier run, or begins them. Throws InputError when the earlier run
  /// was another study, naming the field that differs.
  StudyLog(LogPlace journal, const JournalHeader& header, bool sync)
      : journal_(std::move(journal), sync), header_(header) {
    journal_.put(journal_text(header));
  }

  /// Keeps the truth too. Called before the first line.
  void keep_truth(LogPlace truth, const TruthHeader& header, bool sync) {
    truth_.emplace(std::move(truth), sync, VerifiedLog::Lines::secret);
    truth_->put(truth_text(header));
  }

  /// Both lines are with the operating system on return, the truth's first, so that a journal's
  /// line never lacks it; where both are compared, a line of the journal that differs is named
  /// first. `truth` is ignored unless it is kept.
  void record(const JournalLine& line, const std::optional<TruthLine>& truth) {
    const bool appends = journal_.is_replayed();
    const std::string text = journal_text(line);
    if (!appends) journal_.put(text);
    if (truth_ && truth) truth_->put(truth_text(*truth));
    if (appends) journal_.put(text);
    if (kept_) kept_->take(line, truth_ ? truth : std::nullopt);
  }

  /// Keeps what is recorded from now on in memory, too, in words that may be those of other
  /// studies. Called before the first line.
  void keep_record(std::shared_ptr<ConfigWords> words) {
    kept_ = std::make_unique<KeptRecord>(header_, std::move(words));
  }
  /// What was kept, as who reads the files would have it.
  StudyRecord take_record() { return std::move(*kept_).record(); }

  /// What the journal holds of an earlier run. Throws InputError where it is damaged.
  RecordedStudy recorded() const { return recorded_study(journal_.path()); }

  /// Throws InputError where the truth is more than the one line ahead that a study which was
  /// killed may leave: launches were taken out of the journal.
  void require_every_launch(const RecordedStudy& recorded) const;

  /// What the searcher recommends, after all launches.
  void recommend(const ConfigText& config) {
    journal_.put(recommendation_text(config));
    if (kept_) kept_->recommend(config);
  }

  /// The study has ended: throws InputError when an earlier run went further.
  void require_end() const {
    journal_.require_end();
    if (truth_) truth_->require_end();
  }

 private:
  VerifiedLog journal_;
  JournalHeader header_;
  std::optional<VerifiedLog> truth_;
  std::unique_ptr<KeptRecord> kept_{};
};

}  // namespace cubicbench::search
