#pragma once

#include <pybind11/pybind11.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "python/binding/bound_problem.h"
#include "search/folder/planned_search.h"
#include "search/ledger/ledger.h"
#include "search/searchers/searcher.h"
#include "search/study/study.h"

namespace cubicbench::python {

/// What a study tells of a trial.
struct BoundTrial {
  search::ToldTrial told;
  std::optional<double> value;  ///< of the objective's metric
  std::shared_ptr<const BoundProblem> problem;

  pybind11::dict config() const { return problem->dicts().write(told.config); }
};

/// One study as Python plays it, on the same ledger as every other. A built-in searcher may
/// propose; anybody may evaluate. Not to be shared by threads: one that tries gets an error.
class BoundStudy {
 public:
  /// Tells the built-in searcher what is known before the study, launches the baseline, where the
  /// study grants it, and tells that. `open` must be of that study; `notes` are of its warm start.
  BoundStudy(std::shared_ptr<const BoundProblem> problem, const search::StudySpec& spec,
             search::OpenStudy open, std::vector<std::string> notes);

  /// The next configuration of the built-in searcher; nothing when it has no more. Throws Refused
  /// where the searcher is none of ours.
  std::optional<pybind11::dict> ask();
  /// Charges and launches a configuration, at a fidelity of 1 unless said, or at the one that the
  /// built-in searcher proposed it with. Nothing where the study's telling says nothing of how it
  /// ended. Throws Refused when the budget is spent or the study is closed.
  std::optional<BoundTrial> evaluate(const pybind11::dict& config,
                                     const std::optional<double>& fidelity);
  /// Tells the built-in searcher; nothing where there is none.
  void tell(const BoundTrial& trial);
  /// Lets the built-in searcher play the rest, without Python's lock. Python's signals end it.
  void run();

  /// Ends the study with what is recommended: by the caller, else by the built-in searcher, else
  /// the configuration whose measurements have the best mean.
  void close(const std::optional<pybind11::dict>& recommended);
  bool is_closed() const { return ledger_.is_closed(); }
  /// Leaves the study open, to be resumed: from now on everything is refused.
  void abandon() { abandoned_ = true; }

  /// The noise-free value; see BoundProblem::true_value(). Throws Refused until the study is
  /// closed.
  std::optional<double> true_value(const pybind11::dict& config) const;

  /// What was known before the study, with numbers below 0.
  const std::vector<BoundTrial>& known() const { return known_; }
  /// How much of it is told, and why no more.
  const std::vector<std::string>& notes() const { return notes_; }
  /// What was told of the granted baseline.
  const std::optional<BoundTrial>& baseline_trial() const { return baseline_; }
  const std::shared_ptr<const BoundProblem>& problem() const { return problem_; }
  const search::StudySpec& spec() const { return ledger_.spec(); }
  search::Balance balance() const { return ledger_.balance(); }
  std::string name() const { return search::study_name(ledger_.spec()); }

 private:
  std::optional<BoundTrial> told(const std::optional<search::EndedTrial>& ended) const;
  BoundTrial bound(search::ToldTrial told) const;
  /// Has the built-in searcher propose, unless what it proposed is still to be launched.
  void propose();
  void require_searcher() const;
  void require_idle() const;

  std::shared_ptr<const BoundProblem> problem_;
  search::OpenStudy open_;
  std::unique_ptr<search::Searcher> searcher_;  ///< null where Python proposes
  search::Ledger ledger_;
  std::optional<search::Proposal> proposed_{};  ///< asked for, not launched yet
  std::vector<std::string> notes_;
  std::vector<BoundTrial> known_{};
  std::optional<BoundTrial> baseline_{};
  bool runs_ = false;  ///< without Python's lock
  bool abandoned_ = false;
};

}  // namespace cubicbench::python
