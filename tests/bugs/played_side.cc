#include "tests/bugs/played_side.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "datasets/problem/table_scenario.h"
#include "results/comparison/compared_side.h"
#include "scenarios/problem/granted_baseline.h"
#include "scenarios/readers/suite_reader.h"
#include "search/folder/finished_studies.h"
#include "search/folder/planned_search.h"
#include "search/folder/search_folder.h"
#include "search/ledger/run_study.h"
#include "support/files.h"
#include "support/parallel.h"
#include "tests/temporary_folder.h"

namespace cubicbench::results {
namespace {

namespace fs = std::filesystem;

/// So many at a time: a study leaves 100 kB.
constexpr std::int64_t seeds_at_once = 25;

search::SearchPlan plan_of(const std::string& searcher) {
  search::SearchPlan plan;
  const scenarios::Suite suite = scenarios::read_suite("standard", "");
  for (const scenarios::SuiteProblem& problem : suite.problems) {
    plan.scenarios.push_back(datasets::read_scenario(problem.scenario));
  }
  plan.searchers.push_back(search::parse_searcher(searcher, searcher));
  plan.trials = suite.problems.front().trials;
  plan.start = search::Start::baseline;
  return plan;
}

void play(const search::PlannedSearch& planned, const search::PlannedStudy& study,
          const search::MakeSearcher& make, const fs::path& folder) {
  const scenarios::Scenario& scenario = *study.world->scenario;
  const search::StudySpec& spec = study.spec;
  const auto searcher = make({.space = scenario.space,
                              .seed = static_cast<std::uint64_t>(spec.seed),
                              .trials = spec.trials,
                              .baseline = spec.start == search::Start::baseline
                                              ? scenarios::granted_baseline(scenario)
                                              : std::nullopt,
                              .problem = scenario.name});
  search::OpenStudy open =
      planned.open(study, search::places_of(folder, study_name(spec)), false, {});
  search::run_study(scenario, spec, *searcher, *open.backend, open.log);
}

ComparedSide played(const search::SearchPlan& plan, const search::MakeSearcher& make) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "journals");
  fs::create_directories(folder / "truth");
  const search::PlannedSearch planned(plan, 0, [] { return false; });
  support::write_file_atomic(folder / "plan.json", planned.text());
  const auto& studies = planned.studies();
  support::parallel_for(studies.size(), 0,
                        [&](std::size_t i) { play(planned, studies[i], make, folder.path()); });
  search::write_finished(folder.path(), planned.names());
  return read_side({.folder = folder.path()}, {});
}

}  // namespace

ComparedSide played_side(const std::string& searcher, const search::MakeSearcher& make,
                         std::int64_t seeds) {
  search::SearchPlan plan = plan_of(searcher);
  std::optional<ComparedSide> side;
  for (std::int64_t first = 0; first < seeds; first += seeds_at_once) {
    plan.first_seed = first;
    plan.seeds = std::min(seeds_at_once, seeds - first);
    ComparedSide more = played(plan, make);
    if (!side) {
      side = std::move(more);
      continue;
    }
    for (std::size_t i = 0; i < side->problems.size(); ++i) {
      side->problems[i].seeds.merge(more.problems[i].seeds);
    }
  }
  side->name = searcher;
  return std::move(side).value();
}

}  // namespace cubicbench::results
