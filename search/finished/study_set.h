#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scenarios/problem/scenario.h"
#include "search/folder/plan_reader.h"
#include "search/journal/study_record.h"

namespace cubicbench::search {

/// One searcher with one seed on one instance of one scenario: what its journal says.
/// `truth_sha256` is that of a table's outcomes, and empty where trials really ran; `trials` is the
/// number of launches that were asked for.
struct StudyResult : StudyRecord {
  scenarios::Objective objective{};
  /// The searcher, and in brackets what tells its studies apart from others of the same searcher
  /// and scenario in the set: "evolution", "evolution (slots 4, telling drop)".
  std::string series{};
  std::string file{};  ///< its journal, which messages name
};

/// A folder that was read, and what its plan.json asked for.
struct SearchedFolder {
  std::filesystem::path path;  ///< as it was named
  AskedSearch asked;
};

/// Finished and unfinished studies, sorted by scenario, instance, searcher, what else tells studies
/// apart (telling, slots, launches, backend, order of the space) and seed. No two are equal in all
/// of these, and those of one scenario and instance have the same truth.
struct StudySet {
  std::vector<SearchedFolder> folders;  ///< in the order in which they were named
  std::vector<StudyResult> studies;
  std::vector<std::string> notes;  ///< what a reader should know, a sentence each
};

/// Reads the folders of searches: `plan.json`, `journals/*.jsonl` and, where there are,
/// `truth/*.jsonl`. A study that is not finished is read as far as it goes. Notes say, a scenario
/// each, how many of the studies that were asked for have not begun or are not finished. Throws
/// InputError with every problem of every folder: no folder, no plan or no journal in it, damage, a
/// journal that the plan does not ask for, a study that is there twice, results of one scenario
/// that were made with different truths.
StudySet read_study_set(std::span<const std::filesystem::path> folders);

/// The same of one folder whose studies, all that it has, have been read or were just run.
StudySet study_set_of(const std::filesystem::path& folder, std::vector<StudyRecord> records);

// Parts of it, for those who look at one study at a time because all together are too large.

/// What the plan.json of a search's folder asked for. Throws InputError where there is none.
AskedSearch asked_of(const std::filesystem::path& folder);

/// The journals of the folder, sorted by name. Throws InputError where there is none.
std::vector<std::filesystem::path> journals_of(const std::filesystem::path& folder);

/// One study of a search, with its truth; `series` is its searcher. Requires a journal with a
/// header. Throws InputError where it is damaged or `asked` does not ask for it.
StudyResult read_study(const std::filesystem::path& journal, const AskedSearch& asked);

/// The same, with the words of other studies; nothing where the journal has no header yet.
std::optional<StudyResult> read_begun_study(const std::filesystem::path& journal,
                                            const AskedSearch& asked,
                                            const std::shared_ptr<ConfigWords>& words);

/// What is missing of a search, `studies` being those of its studies that have begun: for each
/// scenario a sentence on studies that have not begun and one on those that have fewer launches
/// than asked for. Empty when the search is whole.
std::vector<std::string> unfinished_notes(const AskedSearch& asked,
                                          const std::vector<StudyResult>& studies);

/// Studies of one scenario and instance.
using Studies = std::vector<const StudyResult*>;

/// The studies of `set` by scenario and instance, in its order. The set must outlive the result.
std::vector<Studies> grouped_studies(const StudySet& set);

/// Launches that the study was charged for that was charged most, short ones in part.
std::size_t longest(const Studies& studies);

/// "ads-73b", "ads-73b, instance 2": the problem that was searched.
std::string problem_name(const StudyResult& study);

/// `scenario.instance.searcher.seed`, as people read it.
std::string name_of(const StudyResult& study);

/// Did trials really run, for the study or for the table that it played, rather than in a
/// simulator?
bool is_real(const StudyResult& study);

/// Were they played from an earlier search? Nothing is known without its noise then.
bool is_replay(const StudyResult& study);

/// Were they played from a table of runs?
bool is_table(const StudyResult& study);

}  // namespace cubicbench::search
