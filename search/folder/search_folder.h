#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "search/journal/study_log.h"
#include "support/files.h"

namespace cubicbench::search {

/// The folder of a search [docs/reference/search-folder.md], held by this process alone:
/// `plan.json`, which carries the lock, and the folders `journals` and `truth`.
class SearchFolder {
 public:
  /// Takes the folder for the search that `plan` (the text of plan.json) describes.
  ///
  /// Missing, empty or holding only *.tmp files: starts afresh, with or without `resume`. Else
  /// without `resume` it is an InputError, and with it one unless plan.json is `plan`; the message
  /// names every field that differs. OutputError when a living process holds it, whatever
  /// `resume` says, and when it cannot be written.
  SearchFolder(std::filesystem::path directory, std::string_view plan, bool resume);

  /// Makes the folder `truth`. Throws OutputError.
  void keep_truth();

  /// Where the files of a study lie: in this folder, even if it has been moved since.
  StudyPlaces places_of(const std::string& study) const;

  /// Throws OutputError when the folder has been moved or removed since, so that nothing is written
  /// into another one with the same name.
  void require_held() const;

  /// Throws InputError when `journals` or `truth` holds the file of a study not among `studies`.
  void require_only(const std::set<std::string>& studies) const;

 private:
  /// `journals` or `truth`. Throws OutputError.
  support::FileDescriptor opened(const char* room) const;

  std::filesystem::path directory_;
  support::FileDescriptor lock_;  ///< of plan.json; closing it gives the folder back
  support::FileDescriptor journals_;
  support::FileDescriptor truth_;  ///< none unless it is kept
};

/// Where the folder of a search has the journal and the truth of a study.
std::filesystem::path journal_of(const std::filesystem::path& folder, const std::string& study);
std::filesystem::path truth_of(const std::filesystem::path& folder, const std::string& study);

/// Both, by their paths, for a folder that stays where it is.
StudyPlaces places_of(const std::filesystem::path& folder, const std::string& study);

/// Where it has the list of the studies that are complete.
std::filesystem::path finished_of(const std::filesystem::path& folder);

/// Whether a search has a file of that path, or may come to have one: its plan, the list of what is
/// finished, and what lies in its journals and its truth. Pages beside them are not its own.
bool is_file_of_search(const std::filesystem::path& path);

/// Holds the folder of an earlier search, as it is, until the result is closed. Throws InputError
/// where there is no plan.json and OutputError where a living process holds it.
support::FileDescriptor hold_search(const std::filesystem::path& directory);

}  // namespace cubicbench::search
