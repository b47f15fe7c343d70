#include "search/finished/known_launches.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "datasets/catalog/measured_catalog.h"
#include "search/backends/backend_factory.h"
#include "search/finished/known_rows.h"
#include "search/finished/study_set.h"
#include "search/finished/study_truth.h"
#include "search/folder/warm_start_json.h"
#include "support/absolute_path.h"
#include "support/input_error.h"
#include "support/joined.h"
#include "support/sha256.h"

namespace cubicbench::search {
namespace {

namespace fs = std::filesystem;
using scenarios::Configuration;
using scenarios::Scenario;
using scenarios::TrialState;
using support::InputError;

/// By scenario and instance, in the order of the names.
using Gathered = std::map<std::pair<std::string, std::int64_t>, std::vector<KnownLaunch>>;

/// As far as a searcher may be told of it.
scenarios::TrialOutcome outcome_of(const StudyLaunch& launch) {
  return {.state = launch.state,
          .reason = launch.reason,
          .value = launch.value,
          .metrics = {},
          .cost_gpu_hours = launch.cost_gpu_hours};
}

/// One folder of a search.
class KnownSearch {
 public:
  KnownSearch(const fs::path& folder, const std::string& salt_sha256)
      : folder_(folder), salt_sha256_(salt_sha256), set_(read_study_set(std::span(&folder, 1))) {}

  /// Says how many it added.
  std::size_t add(const Scenario& scenario, Gathered& gathered) {
    std::size_t added = 0;
    for (const StudyResult& study : set_.studies) {
      if (study.scenario != scenario.name || !is_open(study)) continue;
      if (study.objective != scenario.objective) {
        throw InputError(folder_.string(), "expected launches that are judged as " + scenario.name +
                                               " is here, got another objective");
      }
      added += add(study, scenario, gathered[{scenario.name, study.instance}]);
    }
    return added;
  }

  /// Launches that are no configuration of today's scenario.
  std::size_t misplaced() const { return misplaced_; }

  std::string searched() const {
    std::set<std::string> names;
    for (const StudyResult& study : set_.studies) names.insert(study.scenario);
    return names.empty() ? "nothing" : support::joined(names, ", ");
  }

 private:
  bool is_open(const StudyResult& study) const {
    return study.salt_sha256.empty() || study.salt_sha256 == salt_sha256_;
  }

  std::size_t add(const StudyResult& study, const Scenario& scenario,
                  std::vector<KnownLaunch>& known) {
    std::map<std::int64_t, const StudyLaunch*> last_of_trial;
    for (const StudyLaunch& launch : study.launches) last_of_trial[launch.trial] = &launch;
    const bool repeats = repeats_itself(study.backend);
    auto& seen = seen_[{study.scenario, study.instance}];
    std::size_t added = 0;
    for (const StudyLaunch& launch : study.launches) {
      if (last_of_trial[launch.trial] != &launch || launch.fidelity < 1.0) continue;
      if (launch.state == TrialState::pruned) continue;
      const auto config = configuration_of(study.config_of(launch), scenario);
      if (!config) {
        ++misplaced_;
      } else if (!repeats || seen.insert({*config, launch.attempt}).second) {
        known.push_back({config_text(scenario.space, *config), outcome_of(launch)});
        ++added;
      }
    }
    return added;
  }

  fs::path folder_;
  const std::string& salt_sha256_;
  StudySet set_;
  /// Attempts that are told already, by scenario and instance.
  std::map<std::pair<std::string, std::int64_t>, std::set<std::pair<Configuration, std::int64_t>>>
      seen_;
  std::size_t misplaced_ = 0;
};

std::string launches(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " launch" : " launches");
}

bool is_search(const std::string& place) {
  std::error_code error;
  return fs::exists(fs::path(place) / "plan.json", error);
}

/// Of the folder of a search.
std::string add_search(const std::string& place, std::span<const Scenario> scenarios,
                       const std::string& salt_sha256, Gathered& gathered) {
  KnownSearch search(place, salt_sha256);
  std::size_t added = 0;
  for (const Scenario& scenario : scenarios) added += search.add(scenario, gathered);
  const std::string misplaced = search.misplaced() == 0
                                    ? ""
                                    : ", " + std::to_string(search.misplaced()) +
                                          " left out that are no configuration of the scenario";
  if (added == 0) {
    throw InputError(place, "expected launches of what is searched, got a search of " +
                                search.searched() + misplaced);
  }
  return place + ": " + launches(added) + " told" + misplaced + ".";
}

/// Of a table of runs, or of logs.
std::string add_rows(const std::string& place, std::span<const Scenario> scenarios,
                     Gathered& gathered) {
  std::error_code error;
  if (datasets::is_table_path(place) && !fs::exists(place, error)) {
    throw InputError(place, "expected the folder of a search, a table of runs or logs, got none");
  }
  KnownRows rows(fs::is_directory(place, error) ? (fs::path(place) / "").string() : place);
  std::size_t added = 0;
  for (const Scenario& scenario : scenarios) {
    std::vector<KnownLaunch> known = rows.of(scenario);
    if (known.empty()) continue;
    added += known.size();
    std::ranges::move(known, std::back_inserter(gathered[{scenario.name, 0}]));
  }
  if (added == 0) throw InputError(place, "expected runs of what is searched, got " + rows.why());
  return place + ": " + launches(added) + " told" + rows.note() + ".";
}

/// As plan.json has it, which says nothing of whose machine it was.
std::string recorded_place(const std::string& place) {
  if (!support::has_absolute_path(place)) return place;
  return "sha256:" + support::sha256_hex(place).substr(0, 16);
}

}  // namespace

KnownLaunches read_known_launches(std::span<const std::string> places,
                                  std::span<const Scenario> scenarios,
                                  const std::string& salt_sha256) {
  KnownLaunches known;
  Gathered gathered;
  std::vector<support::Problem> problems;
  for (const std::string& place : places) {
    support::gathered(problems, [&] {
      known.notes.push_back(is_search(place) ? add_search(place, scenarios, salt_sha256, gathered)
                                             : add_rows(place, scenarios, gathered));
    });
    known.warm.from.push_back(recorded_place(place));
  }
  support::throw_if_any(problems);
  for (auto& [problem, of_problem] : gathered) {
    if (of_problem.empty()) continue;
    known.warm.problems.push_back(std::make_shared<const WarmStart>(
        warm_start_of(problem.first, problem.second, std::move(of_problem))));
  }
  return known;
}

std::vector<std::string> warm_start(SearchPlan& plan, std::span<const std::string> places) {
  if (places.empty()) return {};
  KnownLaunches known = read_known_launches(places, plan.scenarios, plan.salt_sha256);
  plan.warm_start = std::move(known.warm);
  return std::move(known.notes);
}

}  // namespace cubicbench::search
