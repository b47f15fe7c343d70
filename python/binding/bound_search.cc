#include "python/binding/bound_search.h"

#include <algorithm>
#include <utility>

#include "datasets/problem/table_scenario.h"
#include "scenarios/problem/seal.h"
#include "search/backends/backend_factory.h"
#include "search/finished/known_launches.h"
#include "search/folder/finished_studies.h"
#include "search/searchers/registry.h"
#include "support/input_error.h"

namespace cubicbench::python {
namespace {

using search::PlannedStudy;
using search::SearchPlan;

/// Where a study writes that leaves nothing behind.
constexpr const char* nowhere = "/dev/null";

/// One of ours, options checked, or somebody else's by its name.
search::SearcherSpec searcher_named(const std::string& text) {
  const std::string name = text.substr(0, text.find(':'));
  const bool is_ours = std::ranges::any_of(
      search::searchers(), [&](const search::SearcherEntry& entry) { return entry.name == name; });
  return is_ours ? search::parse_searcher(text, "searcher")
                 : search::outside_searcher(text, "searcher");
}

/// One that answers at once and always the same: others run for hours, with Python locked.
std::string backend_of(const SearchAsk& ask, const std::vector<scenarios::Scenario>& scenarios) {
  if (!ask.backend) return search::usual_backend(scenarios);
  if (!is_repeatable(search::parse_backend(*ask.backend, "backend"))) {
    throw support::InputError("backend", "expected simulator, table or recorded:DIR, got " +
                                             support::in_quotes(*ask.backend) +
                                             ", which cubicbench search runs");
  }
  return *ask.backend;
}

/// `notes` are what the warm start has to say.
SearchPlan plan_of(const SearchAsk& ask, std::vector<scenarios::Scenario> scenarios,
                   std::vector<std::string>& notes) {
  SearchPlan plan;
  plan.scenarios = std::move(scenarios);
  plan.searchers = {searcher_named(ask.searcher)};
  plan.trials = ask.trials;
  plan.seeds = ask.seeds;
  plan.instances = ask.instances;
  plan.first_seed = ask.first_seed;
  plan.first_instance = ask.first_instance;
  plan.telling = search::parse_telling(ask.telling, "telling");
  plan.start = search::parse_start(ask.start, "start");
  plan.permute = ask.permute;
  plan.shard = search::parse_shard(ask.shard, "shard");
  plan.backend = backend_of(ask, plan.scenarios);
  if (!plan.scenarios.empty() && plan.scenarios.front().seal) {
    plan.salt_sha256 = plan.scenarios.front().seal->salt_sha256();
  }
  if (plan.permute && is_outside(plan.searchers.front())) {
    throw support::InputError(
        "permute", "expected a built-in searcher with it, got " + support::in_quotes(ask.searcher));
  }
  notes = search::warm_start(plan, ask.warm_start);
  return plan;
}

std::vector<scenarios::Scenario> scenarios_of(const SearchAsk& ask) {
  const auto seal = ask.salt_file ? scenarios::read_seal(*ask.salt_file) : nullptr;
  std::vector<support::Problem> problems;
  std::vector<scenarios::Scenario> scenarios;
  for (const std::string& name : ask.scenarios) {
    support::gathered(problems, [&] {
      scenarios.push_back(datasets::read_scenario(name, {}, seal));
      scenarios.back().seal = seal;
      return 0;
    });
  }
  support::throw_if_any(problems);
  return scenarios;
}

bool never() { return false; }

}  // namespace

BoundSearch::BoundSearch(const SearchAsk& ask, std::filesystem::path out, bool resume, bool sync)
    : out_(std::move(out)),
      sync_(sync),
      plan_(plan_of(ask, scenarios_of(ask), notes_)),
      planned_(plan_, 0, never),
      folder_(out_, planned_.text(), resume) {
  folder_.require_only(planned_.names());
  if (knows_truth(planned_.backend())) folder_.keep_truth();
  const search::FinishedStudies earlier(out_);
  for (const std::string& name : planned_.names()) {
    if (earlier.holds(name)) finished_.insert(name);
  }
}

bool BoundSearch::is_finished(std::size_t study) const {
  return finished_.contains(study_name(planned_.studies()[study].spec));
}

std::shared_ptr<BoundStudy> BoundSearch::open(std::size_t study) const {
  const PlannedStudy& planned = planned_.studies()[study];
  auto problem = std::make_shared<const BoundProblem>(
      *planned.world->scenario, planned.world->number, planned.world->truth_sha256);
  return std::make_shared<BoundStudy>(
      std::move(problem), planned.spec,
      planned_.open(planned, folder_.places_of(study_name(planned.spec)), sync_, {}), notes_);
}

void BoundSearch::finish(const BoundStudy& study) {
  finished_.insert(study.name());
  search::write_finished(out_, finished_);
}

std::shared_ptr<BoundStudy> unrecorded_study(std::shared_ptr<const BoundProblem> problem,
                                             SearchAsk ask) {
  ask.first_instance = static_cast<std::int64_t>(problem->instance().number());
  std::vector<std::string> notes;
  const SearchPlan plan = plan_of(ask, {problem->scenario()}, notes);
  const search::PlannedSearch planned(plan, 1, never);
  const PlannedStudy& study = planned.studies().front();
  if (study.world->played) {
    problem = std::make_shared<const BoundProblem>(*study.world->played, study.world->number,
                                                   study.world->truth_sha256);
  }
  search::OpenStudy open{
      .backend = make_backend(planned.backend(), problem->scenario(), study.world->number, nowhere,
                              [](const std::string&) {}),
      .log = {{nowhere}, journal_header(study.spec, problem->scenario().sha256, ""), false}};
  return std::make_shared<BoundStudy>(std::move(problem), study.spec, std::move(open),
                                      std::move(notes));
}

}  // namespace cubicbench::python
