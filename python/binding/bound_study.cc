#include "python/binding/bound_study.h"

#include <utility>
#include <vector>

#include "scenarios/problem/score.h"
#include "search/ledger/run_study.h"
#include "search/permuted/permuted_searcher.h"
#include "search/searchers/registry.h"
#include "search/study/telling.h"
#include "support/input_error.h"
#include "support/suggestion.h"

namespace cubicbench::python {
namespace {

namespace py = pybind11;
using search::Refused;
using search::StudySpec;

std::vector<std::string_view> own_names() {
  std::vector<std::string_view> names;
  for (const search::SearcherEntry& entry : search::searchers()) names.push_back(entry.name);
  return names;
}

}  // namespace

BoundStudy::BoundStudy(std::shared_ptr<const BoundProblem> problem, const StudySpec& spec,
                       search::OpenStudy open, std::vector<std::string> notes)
    : problem_(std::move(problem)),
      open_(std::move(open)),
      searcher_(is_outside(spec.searcher) ? nullptr : searcher_of(spec, problem_->scenario())),
      ledger_(problem_->scenario(), spec, *open_.backend, open_.log),
      notes_(std::move(notes)) {
  for (search::ToldTrial& known : ledger_.told_first()) {
    if (searcher_) searcher_->remember(known);
    known_.push_back(bound(std::move(known)));
  }
  if (!ledger_.owes_baseline()) return;
  baseline_ = told(ledger_.run_baseline());
  if (baseline_) tell(*baseline_);
}

std::optional<BoundTrial> BoundStudy::told(const std::optional<search::EndedTrial>& ended) const {
  if (!ended || !ended->told) return std::nullopt;
  return bound(*ended->told);
}

BoundTrial BoundStudy::bound(search::ToldTrial told) const {
  BoundTrial trial{.told = std::move(told), .value = std::nullopt, .problem = problem_};
  // score_of() is its own inverse.
  if (trial.told.score) {
    trial.value = scenarios::score_of(problem_->scenario().objective, *trial.told.score);
  }
  return trial;
}

void BoundStudy::require_idle() const {
  if (runs_) throw Refused("The study runs in another thread.");
  if (abandoned_) throw Refused("The study was left open: it can be resumed.");
}

void BoundStudy::require_searcher() const {
  require_idle();
  if (searcher_) return;
  const std::string& name = ledger_.spec().searcher.text;
  const std::string meant = support::did_you_mean(name, own_names());
  throw Refused(support::in_quotes(name) + " is no built-in searcher, so there is nobody to ask" +
                (meant.empty() ? "." : meant));
}

std::optional<py::dict> BoundStudy::ask() {
  require_searcher();
  propose();
  if (!proposed_) return std::nullopt;
  return problem_->dicts().write(proposed_->config);
}

void BoundStudy::propose() {
  bool is_done = false;
  if (!proposed_) proposed_ = next_proposal(ledger_, *searcher_, is_done);
}

std::optional<BoundTrial> BoundStudy::evaluate(const py::dict& config,
                                               const std::optional<double>& fidelity) {
  require_idle();
  search::Proposal launched{.config = problem_->dicts().read(config)};
  const bool was_asked_for = proposed_ && proposed_->config == launched.config;
  if (was_asked_for) launched = *proposed_;
  if (fidelity) launched.fidelity = *fidelity;
  ledger_.launch(std::move(launched));
  if (was_asked_for) proposed_.reset();
  return told(ledger_.next_end());
}

void BoundStudy::tell(const BoundTrial& trial) {
  require_idle();
  if (searcher_) searcher_->tell(trial.told);
}

void BoundStudy::run() {
  require_searcher();
  constexpr std::int64_t launches_between_looks = 64;
  runs_ = true;
  struct Idle {
    bool& runs;
    ~Idle() { runs = false; }
  } idle{runs_};
  const py::gil_scoped_release unlocked;
  for (std::int64_t launches = 0; ledger_.may_launch(); ++launches) {
    propose();
    if (!proposed_) return;
    ledger_.launch(*std::exchange(proposed_, std::nullopt));
    const std::optional<search::EndedTrial> ended = ledger_.next_end();
    if (ended && ended->told) searcher_->tell(*ended->told);
    if (launches % launches_between_looks != 0) continue;
    const py::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
}

void BoundStudy::close(const std::optional<py::dict>& recommended) {
  require_idle();
  std::optional<scenarios::Configuration> configuration;
  if (recommended) {
    configuration = problem_->dicts().read(*recommended);
  } else if (searcher_) {
    configuration = searcher_->recommend();
    // The best that it knows may be none of what this study measured.
    const bool foreign = configuration && spec().warm_start;
    if (foreign && !ledger_.was_measured(*configuration)) configuration.reset();
  }
  ledger_.close(configuration);
}

std::optional<double> BoundStudy::true_value(const py::dict& config) const {
  if (!ledger_.is_closed()) {
    throw Refused("True values are told once the study is closed, by recommend().");
  }
  return problem_->true_value(config);
}

}  // namespace cubicbench::python
