#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "search/backends/backend.h"
#include "search/backends/backend_factory.h"
#include "search/folder/campaign.h"
#include "search/journal/study_log.h"
#include "search/study/study.h"

namespace cubicbench::search {

/// An instance that is searched. Each of its studies makes its own Instance: it has hundreds of
/// kilobytes, and there may be very many.
struct SearchedWorld {
  const scenarios::Scenario* scenario = nullptr;        ///< of the plan, or what is below
  std::unique_ptr<const scenarios::Scenario> played{};  ///< where an earlier search is played
  std::uint64_t number = 0;
  std::string truth_sha256;  ///< searched_sha256(); empty where trials really run
  std::string salt_sha256;   ///< of the plan; empty of instance 0, which is never sealed
};

struct PlannedStudy {
  const SearchedWorld* world = nullptr;
  StudySpec spec;
};

/// What a study runs on and leaves behind.
struct OpenStudy {
  std::unique_ptr<Backend> backend;
  StudyLog log;
};

/// The studies of a plan, and the files of each. `plan` must outlive it; threads may share it once
/// it is made.
class PlannedSearch {
 public:
  /// Throws InputError for a plan that cannot be [search/folder/campaign.h]. Where `stopped`
  /// becomes true, studies are missing.
  PlannedSearch(const SearchPlan& plan, int threads, const std::function<bool()>& stopped);
  PlannedSearch(const PlannedSearch&) = delete;
  PlannedSearch& operator=(const PlannedSearch&) = delete;

  const BackendSpec& backend() const { return backend_; }
  const std::vector<PlannedStudy>& studies() const { return studies_; }
  /// Names of all of them.
  const std::set<std::string>& names() const { return names_; }
  /// The text of plan.json.
  std::string text() const;

  /// Continues the files of a study, or begins them. Throws InputError where they are of another
  /// study. `note`: see SearchRun.
  OpenStudy open(const PlannedStudy& study, const StudyPlaces& places, bool sync,
                 const std::function<void(const std::string&)>& note) const;

 private:
  void make_worlds(int threads, const std::function<bool()>& stopped);
  void plan_studies();
  PlannedStudy planned(const SearchedWorld& world, const SearcherSpec& searcher,
                       std::int64_t seed) const;

  const SearchPlan& plan_;
  BackendSpec backend_;
  std::vector<SearchedWorld> worlds_;
  std::vector<PlannedStudy> studies_;
  std::set<std::string> names_;
};

}  // namespace cubicbench::search
