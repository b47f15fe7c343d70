#pragma once

#include <filesystem>
#include <optional>

#include "search/journal/journal.h"
#include "search/journal/truth_line.h"
#include "search/journal/verified_log.h"

namespace cubicbench::search {

/// What a study leaves behind: its journal and, from a simulator, the truth beside it.
class StudyLog {
 public:
  /// Continues the files of an earlier run, or begins them. Throws InputError when the earlier run
  /// was another study, naming the field that differs.
  StudyLog(const std::filesystem::path& journal, const JournalHeader& header, bool sync);
  /// Keeps the truth too. Called before the first line.
  void keep_truth(const std::filesystem::path& truth, const TruthHeader& header, bool sync);

  /// Both lines are with the operating system on return, the truth's first, so that a journal's
  /// line never lacks it. `truth` is ignored unless it is kept.
  void record(const JournalLine& line, const std::optional<TruthLine>& truth);

  /// The study has ended: throws InputError when an earlier run went further.
  void require_end() const;

 private:
  VerifiedLog journal_;
  std::optional<VerifiedLog> truth_;
};

}  // namespace cubicbench::search
