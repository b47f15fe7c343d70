#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "python/binding/bound_study.h"
#include "search/folder/campaign.h"
#include "search/folder/planned_search.h"
#include "search/folder/search_folder.h"

namespace cubicbench::python {

/// What a search of one searcher is asked for; see search::SearchPlan.
struct SearchAsk {
  std::vector<std::string> scenarios{};
  std::string searcher{};
  std::optional<std::int64_t> trials{};
  std::int64_t seeds = 1;
  std::int64_t instances = 1;
  std::int64_t first_seed = 0;
  std::int64_t first_instance = 0;
  std::optional<std::string> salt_file{};
  std::string telling = "reason";
  std::string start = "baseline";
  bool permute = false;
  std::string shard = "1/1";
  std::optional<std::string> backend{};   ///< usual_backend() unless given; one that repeats itself
  std::vector<std::string> warm_start{};  ///< folders, tables and logs
};

/// A search whose studies Python plays one by one, and the folder that it leaves: that of
/// `cubicbench search` with the same proposals. Holds the folder's lock while it lives.
class BoundSearch {
 public:
  /// Throws InputError for a plan that cannot be and for a folder that does not fit it, OutputError
  /// where another process holds it.
  BoundSearch(const SearchAsk& ask, std::filesystem::path out, bool resume, bool sync);

  /// Studies of the plan, those that an earlier run finished included.
  std::size_t size() const { return planned_.studies().size(); }
  bool is_finished(std::size_t study) const;
  /// Begins or resumes a study. Requires study < size() and that it is not finished.
  std::shared_ptr<BoundStudy> open(std::size_t study) const;
  /// What its warm start tells and what not.
  const std::vector<std::string>& notes() const { return notes_; }
  /// Lists the study as complete. Requires that it is closed.
  void finish(const BoundStudy& study);

 private:
  std::filesystem::path out_;
  bool sync_ = false;
  std::vector<std::string> notes_;
  search::SearchPlan plan_;
  search::PlannedSearch planned_;
  search::SearchFolder folder_;
  std::set<std::string> finished_;
};

/// A study in memory: it leaves nothing behind. Of `ask` counts what makes a plan of one study; its
/// problem is `problem`, or where an earlier search is played what that search launched of it.
std::shared_ptr<BoundStudy> unrecorded_study(std::shared_ptr<const BoundProblem> problem,
                                             SearchAsk ask);

}  // namespace cubicbench::python
