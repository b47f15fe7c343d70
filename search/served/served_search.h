#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "search/folder/campaign.h"
#include "search/folder/planned_search.h"
#include "search/folder/search_folder.h"
#include "search/journal/journal.h"
#include "search/ledger/ledger.h"
#include "search/wire/seen_problem.h"

namespace cubicbench::search {

/// A study that somebody outside drives: a program over pipes, Python, an agent. One launch at a
/// time, on the ledger. Not to be shared by threads.
class ServedStudy {
 public:
  /// `was_closed`: by an earlier run.
  ServedStudy(const PlannedSearch& planned, const PlannedStudy& study, const SearchFolder& folder,
              const SearchRun& run, bool was_closed);
  ServedStudy(const ServedStudy&) = delete;
  ServedStudy& operator=(const ServedStudy&) = delete;

  const std::string& name() const { return name_; }
  const StudySpec& spec() const { return ledger_.spec(); }
  /// The problem as whoever drives it sees it.
  const SeenProblem& problem() const { return problem_; }
  const Ledger& ledger() const { return ledger_; }

  /// By this run or an earlier one.
  bool is_closed() const { return was_closed_ || ledger_.is_closed(); }
  bool was_closed() const { return was_closed_; }

  /// Trials that an earlier run has recorded and that were proposed, which have to be proposed
  /// again: the baseline is not among them.
  std::int64_t recorded() const;

  /// Tells what is known before the study, then launches the baseline, where the study grants it
  /// and has not yet.
  void begin();

  /// Does again what an earlier run has recorded, for those who would not, such as agents. After
  /// `begin`. Throws InputError for a journal that cannot be done again.
  void replay();

  /// One trial, launched and waited for. Nothing where its telling says nothing of it. Throws
  /// Refused, which costs nothing, and NotDeterministic.
  std::optional<ToldTrial> evaluate(const scenarios::Configuration& config,
                                    double fidelity = whole_launch);

  /// Closes the study. Throws Refused, NotDeterministic.
  void recommend(const std::optional<scenarios::Configuration>& config);

  /// All that was told so far: what was known before the study, with numbers below 0, and the
  /// baseline included.
  const std::vector<ToldTrial>& told() const { return told_; }

 private:
  std::optional<ToldTrial> noted(const std::optional<EndedTrial>& ended);
  void replay_recorded();
  scenarios::Configuration original(const ConfigText& config) const;

  std::string name_;
  const scenarios::Scenario& scenario_;
  SeenProblem problem_;
  OpenStudy files_;
  Ledger ledger_;
  std::filesystem::path journal_;
  bool was_closed_ = false;
  std::vector<ToldTrial> told_;
};

/// The folder of a search whose studies are driven from outside: what `search` would leave. It
/// holds the lock as long as it lives.
class ServedSearch {
 public:
  /// Takes the folder, as run_search() does, and opens every study of the plan, whose one searcher
  /// is outside. Throws InputError and OutputError as it does.
  ServedSearch(SearchPlan plan, SearchRun run);
  ServedSearch(const ServedSearch&) = delete;
  ServedSearch& operator=(const ServedSearch&) = delete;

  const std::vector<std::unique_ptr<ServedStudy>>& studies() const { return studies_; }
  const SearchPlan& plan() const { return plan_; }
  const std::filesystem::path& folder() const { return run_.out; }

  /// Every study is closed.
  bool is_closed() const;
  /// Writes down which studies are closed, as `search` does at its end.
  void write_closed() const;

 private:
  SearchPlan plan_;
  SearchRun run_;
  PlannedSearch planned_;
  std::unique_ptr<SearchFolder> folder_;
  std::vector<std::unique_ptr<ServedStudy>> studies_;
};

}  // namespace cubicbench::search
