#include "search/verification/recorded_searcher.h"

#include <map>
#include <nlohmann/json.hpp>

#include "search/wire/seen_problem.h"
#include "support/json/strict_json.h"

namespace cubicbench::search {
namespace {

/// What the lines of a trial come to.
struct RecordedTrial {
  const JournalLine* first = nullptr;
  double ended_h = 0.0;  ///< of its last launch
};

std::map<std::int64_t, RecordedTrial> trials_of(const JournalFile& journal) {
  std::map<std::int64_t, RecordedTrial> trials;
  for (const JournalLine& line : journal.lines) {
    RecordedTrial& trial = trials[line.trial];
    if (trial.first == nullptr) trial.first = &line;
    trial.ended_h = line.finished_h;
  }
  return trials;
}

nlohmann::ordered_json json_of(const ConfigText& config) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (const auto& [name, value] : config) object[name] = support::parse_json(value, name);
  return object;
}

/// Journals have the scenario's own names.
StudySpec unpermuted(StudySpec spec) {
  spec.permute = false;
  return spec;
}

}  // namespace

RecordedSearcher::RecordedSearcher(const JournalFile& journal, const StudySpec& spec,
                                   const scenarios::Scenario& scenario) {
  const StudySpec plain = unpermuted(spec);
  const SeenProblem problem(scenario, plain);
  const std::map<std::int64_t, RecordedTrial> trials = trials_of(journal);
  const bool granted = spec.start == Start::baseline;
  for (const auto& [number, trial] : trials) {
    if (granted && number == 0) continue;
    Trial next{.proposal = {.config = problem.configuration_of(json_of(trial.first->config)),
                            .round = trial.first->round,
                            .fidelity = trial.first->share()}};
    for (const auto& [earlier, other] : trials) {
      if (spec.slots == 1 || earlier >= number) break;
      const bool counts = !(granted && earlier == 0);
      if (counts && other.ended_h <= trial.first->started_h) ++next.after;
    }
    trials_.push_back(std::move(next));
  }
  if (journal.recommended) recommended_ = problem.configuration_of(json_of(*journal.recommended));
}

void RecordedSearcher::announce(std::int64_t /*launches*/) { ++ended_; }

std::optional<Proposal> RecordedSearcher::ask() {
  if (next_ == trials_.size() || trials_[next_].after > ended_) return std::nullopt;
  return trials_[next_++].proposal;
}

void RecordedSearcher::tell(const ToldTrial& /*trial*/) {}

}  // namespace cubicbench::search
