#include "search/served/served_search.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "search/folder/finished_studies.h"
#include "sim/base/check.h"
#include "support/input_error.h"
#include "support/json/strict_json.h"

namespace cubicbench::search {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::Configuration;

StudySpec unpermuted(StudySpec spec) {
  spec.permute = false;
  return spec;
}

Json json_of_text(const ConfigText& config) {
  Json json = Json::object();
  for (const auto& [name, value] : config) json[name] = support::parse_json(value, name);
  return json;
}

SearchPlan checked(SearchPlan plan) {
  SIM_ASSERT(plan.slots == 1, plan.slots);
  SIM_ASSERT(plan.searchers.size() == 1 && is_outside(plan.searchers.front()));
  return plan;
}

}  // namespace

ServedStudy::ServedStudy(const PlannedSearch& planned, const PlannedStudy& study,
                         const SearchFolder& folder, const SearchRun& run, bool was_closed)
    : name_(study_name(study.spec)),
      scenario_(*study.world->scenario),
      problem_(scenario_, study.spec),
      files_(planned.open(study, folder.places_of(name_), run.sync, run.note)),
      ledger_(scenario_, study.spec, *files_.backend, files_.log,
              {.stopped = [stop = run.stop] { return stop != nullptr && stop->load(); },
               .finish_running = ends_with_us(planned.backend()),
               .was_closed = was_closed}),
      journal_(journal_of(run.out, name_)),
      was_closed_(was_closed) {}

std::int64_t ServedStudy::recorded() const {
  const auto& trials = ledger_.recorded().configs;
  const bool has_baseline = spec().start == Start::baseline && trials.contains(0);
  return std::ssize(trials) - (has_baseline ? 1 : 0);
}

std::optional<ToldTrial> ServedStudy::noted(const std::optional<EndedTrial>& ended) {
  if (!ended || !ended->told) return std::nullopt;
  told_.push_back(*ended->told);
  return ended->told;
}

void ServedStudy::begin() {
  told_ = ledger_.told_first();
  if (ledger_.owes_baseline()) noted(ledger_.run_baseline());
}

std::optional<ToldTrial> ServedStudy::evaluate(const Configuration& config, double fidelity) {
  return noted(ledger_.evaluate(config, fidelity));
}

void ServedStudy::recommend(const std::optional<Configuration>& config) { ledger_.close(config); }

Configuration ServedStudy::original(const ConfigText& config) const {
  return SeenProblem(scenario_, unpermuted(spec())).configuration_of(json_of_text(config));
}

void ServedStudy::replay() {
  try {
    replay_recorded();
  } catch (const Refused& refused) {
    throw support::InputError(
        journal_.string(), std::string("expected what can be done again, got: ") + refused.what());
  }
}

void ServedStudy::replay_recorded() {
  const RecordedStudy& recorded = ledger_.recorded();
  for (auto next = recorded.configs.find(ledger_.balance().trials);
       next != recorded.configs.end() && ledger_.may_launch();
       next = recorded.configs.find(ledger_.balance().trials)) {
    noted(ledger_.evaluate(original(next->second), recorded.fidelity_of(next->first)));
  }
  if (ledger_.is_to_stop()) return;
  if (recorded.configs.contains(ledger_.balance().trials)) {
    throw support::InputError(journal_.string(),
                              "expected the budget of " + std::to_string(spec().trials) +
                                  " launches at most, got a line of trial " +
                                  std::to_string(ledger_.balance().trials) + " beyond it");
  }
  if (recorded.recommended) {
    ledger_.close(original(*recorded.recommended));
  } else if (was_closed_) {
    ledger_.close();
  }
}

ServedSearch::ServedSearch(SearchPlan plan, SearchRun run)
    : plan_(checked(std::move(plan))),
      run_(std::move(run)),
      planned_(plan_, run_.threads, [] { return false; }),
      folder_(std::make_unique<SearchFolder>(run_.out, planned_.text(), run_.resume)) {
  folder_->require_only(planned_.names());
  if (knows_truth(planned_.backend())) folder_->keep_truth();
  const FinishedStudies earlier(run_.out);
  for (const PlannedStudy& study : planned_.studies()) {
    const bool was_closed = earlier.holds(study_name(study.spec));
    studies_.push_back(std::make_unique<ServedStudy>(planned_, study, *folder_, run_, was_closed));
  }
}

bool ServedSearch::is_closed() const {
  return std::ranges::all_of(studies_,
                             [](const auto& study) { return study->ledger().is_closed(); });
}

void ServedSearch::write_closed() const {
  std::set<std::string> closed;
  for (const auto& study : studies_) {
    if (study->ledger().is_closed()) closed.insert(study->name());
  }
  if (closed.empty()) return;
  folder_->require_held();
  write_finished(run_.out, closed);
}

}  // namespace cubicbench::search
