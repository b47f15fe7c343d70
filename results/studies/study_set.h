#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "results/studies/search_curve.h"
#include "scenarios/problem/scenario.h"
#include "scenarios/problem/trial_outcome.h"
#include "search/folder/asked_search.h"

namespace cubicbench::results {

/// One launch of a study, as its journal has it, and the truth about it.
struct StudyLaunch {
  std::int64_t trial = 0;
  std::int64_t attempt = 0;
  std::int64_t round = 0;
  /// Setting names and values, written as `--set` takes them.
  std::vector<std::pair<std::string, std::string>> config;
  scenarios::TrialState state = scenarios::TrialState::complete;
  scenarios::Reason reason = scenarios::Reason::none;
  std::optional<double> value;  ///< as measured
  double cost_gpu_hours = 0.0;
  std::optional<double> true_value;  ///< noise-free; nothing where it fails, or is not known
  bool truth_known = false;          ///< then nothing in `true_value` means that it fails
};

/// One searcher with one seed on one instance of one scenario.
struct StudyResult {
  std::string version;
  std::string scenario;
  std::string scenario_sha256;
  std::string truth_sha256;  ///< of a table its outcomes; empty where trials really ran
  scenarios::Objective objective;
  std::int64_t instance = 0;
  std::string salt_sha256;  ///< of a sealed instance, whose truth only the salt tells; "" of others
  std::string searcher;     ///< as it was typed
  /// The searcher, and in brackets what tells its studies apart from others of the same searcher
  /// and scenario in the set: "evolution", "evolution (slots 4, telling drop)".
  std::string series;
  std::int64_t seed = 0;
  std::int64_t trials = 0;  ///< launches that were asked for
  std::int64_t slots = 1;
  std::string telling;
  std::string backend;
  bool permute = false;               ///< the searcher saw the space in another order
  std::vector<StudyLaunch> launches;  ///< fewer than `trials` while the study goes on
};

/// A folder that was read, and what its plan.json asked for.
struct SearchedFolder {
  std::filesystem::path path;  ///< as it was named
  search::AskedSearch asked;
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

/// `scenario.instance.searcher.seed`, as people read it.
std::string name_of(const StudyResult& study);

/// Did trials really run, for the study or for the table that it played, rather than in a
/// simulator?
bool is_real(const StudyResult& study);

/// Were they played from a table of runs?
bool is_table(const StudyResult& study);

/// The measured value of every launch.
Values values_of(const StudyResult& study);

/// Position of the launch with the best measured value, the first of several; nothing when no
/// launch succeeded.
std::optional<std::size_t> best_launch(const StudyResult& study, scenarios::Direction direction);

}  // namespace cubicbench::results
