#include "search/folder/planned_search.h"

#include <array>

#include "scenarios/problem/granted_baseline.h"
#include "search/backends/recorded_scenario.h"
#include "search/folder/plan_json.h"
#include "search/folder/search_folder.h"
#include "support/input_error.h"
#include "support/interruption.h"
#include "support/parallel.h"

namespace cubicbench::search {
namespace {

/// Refuses a plan of more studies than one search can hold. Requires one that check_plan lets pass.
void check_size(const SearchPlan& plan) {
  const std::array<std::int64_t, 4> counts{std::ssize(plan.scenarios), plan.instances,
                                           std::ssize(plan.searchers), plan.seeds};
  std::int64_t studies = 1;
  for (const std::int64_t count : counts) {
    studies = studies > studies_max / count ? studies_max + 1 : studies * count;
  }
  if (studies <= studies_max) return;
  const auto text = [&](std::size_t i) { return std::to_string(counts[i]); };
  throw support::InputError("--seeds, --instances",
                            "expected at most " + std::to_string(studies_max) + " studies, got " +
                                text(0) + " scenarios x " + text(1) + " instances x " + text(2) +
                                " searchers x " + text(3) + " seeds");
}

Start start_of(const SearchPlan& plan, const scenarios::Scenario& scenario) {
  const bool grants = plan.start == Start::baseline && scenarios::granted_baseline(scenario);
  return grants ? Start::baseline : Start::none;
}

}  // namespace

PlannedSearch::PlannedSearch(const SearchPlan& plan, int threads,
                             const std::function<bool()>& stopped)
    : plan_(plan) {
  check_plan(plan);
  check_size(plan);
  backend_ = parse_backend(plan.backend, "--backend");
  make_worlds(threads, stopped);
  if (!stopped()) plan_studies();  // else some worlds are missing
}

void PlannedSearch::make_worlds(int threads, const std::function<bool()>& stopped) {
  const auto instances = static_cast<std::size_t>(plan_.instances);
  worlds_.resize(plan_.scenarios.size() * instances);
  support::parallel_for(worlds_.size(), threads, [&](std::size_t i) {
    if (stopped()) return;
    SearchedWorld& world = worlds_[i];
    world.scenario = &plan_.scenarios[i / instances];
    world.number = static_cast<std::uint64_t>(plan_.first_instance) + i % instances;
    if (world.number > 0 || world.scenario->is_sealed_member) {
      world.salt_sha256 = plan_.salt_sha256;
    }
    if (backend_.kind == BackendKind::recorded) {
      world.played = std::make_unique<const scenarios::Scenario>(
          recorded_scenario(*world.scenario, world.number, backend_.command));
      world.scenario = world.played.get();
    }
    world.truth_sha256 = searched_sha256(backend_, *world.scenario, world.number);
  });
}

void PlannedSearch::plan_studies() {
  std::int64_t number = 0;
  for (const SearchedWorld& world : worlds_) {
    for (const SearcherSpec& searcher : plan_.searchers) {
      for (std::int64_t i = 0; i < plan_.seeds; ++i) {
        support::end_if_interrupted();
        if (!has_study(plan_.shard, number++)) continue;
        studies_.push_back(planned(world, searcher, plan_.first_seed + i));
        names_.insert(study_name(studies_.back().spec));
      }
    }
  }
}

PlannedStudy PlannedSearch::planned(const SearchedWorld& world, const SearcherSpec& searcher,
                                    std::int64_t seed) const {
  return {.world = &world,
          .spec = {.scenario = world.scenario->name,
                   .instance = static_cast<std::int64_t>(world.number),
                   .searcher = searcher,
                   .telling = plan_.telling,
                   .seed = seed,
                   .trials = budget_of(plan_, *world.scenario),
                   .slots = plan_.slots,
                   .backend = recorded_backend(plan_.backend),
                   .start = start_of(plan_, *world.scenario),
                   .permute = plan_.permute,
                   .salt_sha256 = world.salt_sha256,
                   .warm_start = plan_.warm_start.of(world.scenario->name,
                                                     static_cast<std::int64_t>(world.number))}};
}

std::string PlannedSearch::text() const {
  std::vector<std::vector<std::string>> truths(plan_.scenarios.size());
  for (std::size_t i = 0; i < worlds_.size(); ++i) {
    if (worlds_[i].truth_sha256.empty()) continue;
    truths[i / static_cast<std::size_t>(plan_.instances)].push_back(worlds_[i].truth_sha256);
  }
  return plan_text(plan_, truths);
}

OpenStudy PlannedSearch::open(const PlannedStudy& study, const StudyPlaces& places, bool sync,
                              const std::function<void(const std::string&)>& note) const {
  const StudySpec& spec = study.spec;
  const SearchedWorld& world = *study.world;
  const std::string name = study_name(spec);
  const JournalHeader header = journal_header(spec, world.scenario->sha256, world.truth_sha256);
  std::unique_ptr<Backend> backend =
      make_backend(backend_, *world.scenario, world.number, places.journal.path,
                   [note, name](const std::string& text) {
                     if (note) note(name + ": " + text);
                   });
  StudyLog study_log(places.journal, header, sync);
  if (knows_truth(backend_)) study_log.keep_truth(places.truth, header, sync);
  return {.backend = std::move(backend), .log = std::move(study_log)};
}

}  // namespace cubicbench::search
