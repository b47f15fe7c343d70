#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "results/regret/group_regret.h"
#include "results/regret/known_spaces.h"
#include "results/studies/study_set.h"
#include "search/folder/campaign.h"

namespace cubicbench::results {

/// What the journals and truths of a search say beyond the summaries that the search returns. An
/// object of the default constructor knows nothing.
class SearchJudgement {
 public:
  SearchJudgement() = default;

  /// Of the search in folder `out`, which is finished or has been stopped. Throws InputError as
  /// read_study_set().
  SearchJudgement(const std::filesystem::path& out, const KnownSpaces& spaces);

  /// One a scenario and instance.
  const std::vector<GroupRegret>& groups() const { return groups_; }

  /// Of the study that the summary is of; null when it is not there.
  const StudyEnd* find(const search::StudySummary& summary) const;

 private:
  std::shared_ptr<const StudySet> set_;  ///< what the groups point to
  std::vector<GroupRegret> groups_;
};

}  // namespace cubicbench::results
