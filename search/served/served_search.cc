#include "search/served/served_search.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "search/folder/finished_studies.h"
#include "sim/base/check.h"
#include "support/json/strict_json.h"

namespace cubicbench::search {
namespace {

using Json = nlohmann::ordered_json;
using scenarios::Configuration;

constexpr const char* not_deterministic = "the client is not deterministic: ";

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
                         const SearchRun& run, bool was_closed)
    : name_(study_name(study.spec)),
      scenario_(*study.world->scenario),
      problem_(scenario_, study.spec),
      files_(planned.open(study, run.out, run.sync, run.note)),
      ledger_(scenario_, study.spec, *files_.backend, files_.log,
              {.stopped = [stop = run.stop] { return stop != nullptr && stop->load(); },
               .finish_running = !is_repeatable(planned.backend())}),
      was_closed_(was_closed) {
  const std::filesystem::path journal = journal_of(run.out, name_);
  if (!std::filesystem::exists(journal) || !has_header(journal)) return;
  JournalFile file = read_journal(journal);
  for (JournalLine& line : file.lines) recorded_[line.trial] = std::move(line.config);
  recommended_ = std::move(file.recommended);
}

std::int64_t ServedStudy::recorded() const {
  const bool has_baseline = spec().start == Start::baseline && recorded_.contains(0);
  return std::ssize(recorded_) - (has_baseline ? 1 : 0);
}

std::optional<ToldTrial> ServedStudy::noted(const std::optional<EndedTrial>& ended) {
  if (!ended || !ended->told) return std::nullopt;
  told_.push_back(*ended->told);
  return ended->told;
}

void ServedStudy::begin() {
  if (ledger_.owes_baseline()) noted(ledger_.run_baseline());
}

void ServedStudy::require_recorded(const Configuration& config) const {
  const auto recorded = recorded_.find(ledger_.balance().trials);
  if (recorded == recorded_.end()) {
    if (!was_closed_ && !recommended_) return;
    throw NotDeterministic(std::string(not_deterministic) +
                           "it proposes more than the journal has, which is closed");
  }
  if (config_text(scenario_.space, config) == recorded->second) return;
  throw NotDeterministic(std::string(not_deterministic) + "its proposal of trial " +
                         std::to_string(recorded->first) + " is " +
                         problem_.config_json(config).dump() + ", the journal has " +
                         json_of_text(recorded->second).dump());
}

std::optional<ToldTrial> ServedStudy::evaluate(const Configuration& config) {
  if (ledger_.is_closed() || ledger_.balance().launches_left == 0) {
    return noted(ledger_.evaluate(config));  // which refuses
  }
  require_recorded(config);
  return noted(ledger_.evaluate(config));
}

void ServedStudy::recommend(const std::optional<Configuration>& config) {
  const bool goes_on = recorded_.contains(ledger_.balance().trials);
  const bool differs =
      recommended_ && (!config || config_text(scenario_.space, *config) != *recommended_);
  if (!ledger_.is_closed() && (goes_on || differs)) {
    throw NotDeterministic(std::string(not_deterministic) + "it ends where the journal " +
                           (goes_on ? "goes on" : "recommends another configuration"));
  }
  ledger_.close(config);
}

Configuration ServedStudy::original(const ConfigText& config) const {
  return SeenProblem(scenario_, unpermuted(spec())).configuration_of(json_of_text(config));
}

void ServedStudy::replay() {
  for (auto next = recorded_.find(ledger_.balance().trials);
       next != recorded_.end() && ledger_.may_launch();
       next = recorded_.find(ledger_.balance().trials)) {
    noted(ledger_.evaluate(original(next->second)));
  }
  if (recommended_) {
    ledger_.close(original(*recommended_));
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
    studies_.push_back(std::make_unique<ServedStudy>(planned_, study, run_, was_closed));
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
  if (!closed.empty()) write_finished(run_.out, closed);
}

}  // namespace cubicbench::search
