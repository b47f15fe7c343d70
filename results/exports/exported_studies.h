#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "search/finished/study_set.h"
#include "search/journal/journal.h"

namespace cubicbench::results {

/// A study that is exported. A launch has the values of its configuration as `--set` takes them in
/// `study` and as JSON in the line of the journal at the same position.
struct ExportedStudy {
  search::StudyResult study;
  search::JournalFile journal;
};

/// Reads one study. Requires a journal with a header.
ExportedStudy exported_study(const std::filesystem::path& journal,
                             const search::AskedSearch& asked);

/// Calls `each` with the studies of a folder that have begun, in the order of their names, one in
/// memory at a time.
void for_each_study(const std::filesystem::path& folder,
                    const std::function<void(const ExportedStudy&)>& each);

/// A knob of a problem and its values as JSON, numbers first and ascending.
struct ExportedKnob {
  std::string name;
  std::vector<std::string> values{};
};

/// What formats must know of a scenario before they write the first launch of it. Knobs and values
/// are those that occur in the folder's launches, so that folders can be exported whose scenarios
/// this program does not know.
struct ExportedProblem {
  int number = 0;                     ///< in the plan, from 1
  std::vector<ExportedKnob> knobs{};  ///< in the order in which launches first have them

  /// Position of each knob's value, from 0; -1 of a knob that is not active.
  std::vector<int> positions(const search::ConfigText& config) const;
};

/// The studies of a folder by searcher and scenario, and what is known of the scenarios.
struct ExportedSearch {
  search::AskedSearch asked;
  std::map<std::string, ExportedProblem> problems{};  ///< by the scenario's name
  /// Journals in the order of their names, by searcher and scenario.
  std::map<std::pair<std::string, std::string>, std::vector<std::filesystem::path>> runs{};
};

/// Goes through the whole folder once.
ExportedSearch exported_search(const std::filesystem::path& folder);

/// What a launch that completed is worth: without noise where that is known, else as measured.
/// Nothing of one that failed.
std::optional<double> worth_of(const search::StudyLaunch& launch);

/// "1970-01-01T03:12:00.250000": hours of a study's clock as a date, for formats that want one.
/// Studies say when a launch ended since they began and never when that was.
std::string clock_text(double hours);

}  // namespace cubicbench::results
