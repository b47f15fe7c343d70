#include "search/folder/plan_json.h"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "scenarios/readers/objective_reader.h"
#include "search/backends/backend_factory.h"
#include "search/folder/warm_start_json.h"
#include "search/journal/placed_config.h"
#include "support/input_error.h"
#include "support/json/json_document.h"
#include "support/json/object_reader.h"

namespace cubicbench::search {
namespace {

using Json = nlohmann::ordered_json;
using Problems = std::vector<support::Problem>;

void require_some(Problems& problems, const char* where, const char* noun, std::size_t count) {
  if (count == 0) problems.push_back({where, std::string("expected a ") + noun + ", got none"});
}

void require_once(Problems& problems, const char* where, std::set<std::string>& seen,
                  const std::string& name) {
  if (seen.insert(name).second) return;
  problems.push_back({where, "expected each one once, got " + name + " twice"});
}

void require_positive(Problems& problems, const char* where, std::int64_t number) {
  if (number >= 1) return;
  problems.push_back({where, "expected an integer >= 1, got " + std::to_string(number)});
}

/// A number that plans can hold.
void require_first(Problems& problems, const char* where, std::int64_t number) {
  if (number >= 0 && number <= first_max) return;
  problems.push_back({where, "expected " + support::expected_integer(0, first_max) + ", got " +
                                 std::to_string(number)});
}

/// The option that says which instances there are: a study that is driven from outside has one.
const char* instance_option(const SearchPlan& plan) {
  const bool served = plan.instances == 1 &&
                      (plan.first_instance != 0 || std::ranges::any_of(plan.searchers, is_outside));
  return served ? "--instance" : "--instances";
}

Json scenario_json(const SearchPlan& plan, const scenarios::Scenario& scenario,
                   const std::vector<std::string>& truths) {
  return {{"scenario", scenario.name},
          {"scenario_sha256", scenario.sha256},
          {"truth_sha256", truths},
          {"trials", budget_of(plan, scenario)},
          {"objective", scenarios::objective_json(scenario.objective)}};
}

Json searcher_json(const SearcherSpec& searcher) {
  Json options = Json::object();
  for (const auto& [name, value] : searcher.options) options[name] = value;
  return {{"searcher", searcher.text}, {"options", std::move(options)}};
}

/// A sealed search has an instance that is sealed, and scenarios that all have its seal.
void check_seal(Problems& problems, const SearchPlan& plan, const BackendSpec& backend) {
  for (const scenarios::Scenario& scenario : plan.scenarios) {
    const std::string salt = scenario.seal ? scenario.seal->salt_sha256() : "";
    if (salt == plan.salt_sha256) continue;
    problems.push_back({"--salt", "expected the file with SHA-256 " + plan.salt_sha256 + ", got " +
                                      (salt.empty() ? "nothing" : salt)});
    return;
  }
  if (plan.salt_sha256.empty()) return;
  if (backend.kind != BackendKind::simulator) {
    problems.push_back({"--salt", "expected none with a backend that is no simulator"});
  } else if (plan.first_instance + plan.instances < 2 &&
             !std::ranges::any_of(plan.scenarios, &scenarios::Scenario::is_sealed_member)) {
    const std::string option = instance_option(plan);
    const std::int64_t given = option == "--instance" ? plan.first_instance : plan.instances;
    problems.push_back({"--salt", "expected " + option + " of at least " +
                                      (option == "--instance" ? "1" : "2") + " with it, got " +
                                      std::to_string(given) +
                                      ": instance 0 has the nominal constants, whatever the salt"});
  }
}

void check_known(Problems& problems, const WarmStart& warm, const scenarios::Scenario& scenario) {
  if (warm.launches.empty() || warm.launches.size() > known_launches_max) {
    problems.push_back({"--warm-start", "expected from 1 to " + std::to_string(known_launches_max) +
                                            " launches of " + scenario.name + ", got " +
                                            std::to_string(warm.launches.size())});
    return;
  }
  for (const KnownLaunch& launch : warm.launches) {
    if (placed_config(scenario.space, launch.config)) continue;
    problems.push_back({"--warm-start", "expected configurations of " + scenario.name + ", got " +
                                            support::shortened(config_object(launch.config))});
    return;
  }
}

/// Something is known of every problem that is searched.
void check_warm_start(Problems& problems, const SearchPlan& plan) {
  if (plan.warm_start.empty()) {
    for (const SearcherSpec& searcher : plan.searchers) {
      if (!needs_known(searcher)) continue;
      problems.push_back({"--searcher", "expected --warm-start beside " + searcher.text +
                                            ", which launches what that tells"});
    }
    return;
  }
  for (const scenarios::Scenario& scenario : plan.scenarios) {
    bool is_known = false;
    for (const auto& warm : plan.warm_start.problems) {
      if (warm->scenario != scenario.name) continue;
      is_known = true;
      check_known(problems, *warm, scenario);
    }
    if (is_known) continue;
    problems.push_back(
        {"--warm-start", "expected launches of every scenario, got none of " + scenario.name});
  }
}

}  // namespace

std::int64_t budget_of(const SearchPlan& plan, const scenarios::Scenario& scenario) {
  return plan.trials.value_or(scenario.budget.trials);
}

std::string plan_text(const SearchPlan& plan, const std::vector<std::vector<std::string>>& truths) {
  Json document = support::new_document("plan");
  document["scenarios"] = Json::array();
  for (std::size_t i = 0; i < plan.scenarios.size(); ++i) {
    document["scenarios"].push_back(scenario_json(plan, plan.scenarios[i], truths[i]));
  }
  document["searchers"] = Json::array();
  for (const SearcherSpec& searcher : plan.searchers) {
    document["searchers"].push_back(searcher_json(searcher));
  }
  document["seeds"] = plan.seeds;
  document["instances"] = plan.instances;
  if (!plan.salt_sha256.empty()) document["salt_sha256"] = plan.salt_sha256;
  document["slots"] = plan.slots;
  document["telling"] = name_of(plan.telling);
  document["backend"] = recorded_backend(plan.backend);
  // Plans of before have no such keys.
  if (plan.first_seed != 0) document["first_seed"] = plan.first_seed;
  if (plan.first_instance != 0) document["first_instance"] = plan.first_instance;
  if (!plan.suite.empty()) document["suite"] = plan.suite;
  if (plan.start != Start::none) document["start"] = name_of(plan.start);
  if (plan.permute) document["permute"] = true;
  if (!plan.warm_start.empty()) document["warm_start"] = warm_starts_json(plan.warm_start);
  if (!is_whole(plan.shard)) document["shard"] = text_of(plan.shard);
  return support::document_text(document);
}

void check_plan(const SearchPlan& plan) {
  Problems problems;
  require_some(problems, "SCENARIO", "scenario", plan.scenarios.size());
  require_some(problems, "--searcher", "searcher", plan.searchers.size());
  std::set<std::string> names;
  for (const scenarios::Scenario& scenario : plan.scenarios) {
    require_once(problems, "SCENARIO", names, scenario.name);
    if (scenario.space.count() == 0) {
      problems.push_back({scenario.name + "#/space/constraints",
                          "expected a configuration that they allow, got none"});
    }
  }
  std::set<std::string> texts;
  for (const SearcherSpec& searcher : plan.searchers) {
    require_once(problems, "--searcher", texts, searcher.text);
  }
  if (plan.trials) require_positive(problems, "--trials", *plan.trials);
  require_positive(problems, "--seeds", plan.seeds);
  require_positive(problems, "--instances", plan.instances);
  require_positive(problems, "--slots", plan.slots);
  require_first(problems, "--seed", plan.first_seed);
  require_first(problems, "--instance", plan.first_instance);
  const BackendSpec backend = parse_backend(plan.backend, "--backend");
  for (const scenarios::Scenario& scenario : plan.scenarios) {
    if (std::string text = mismatch(backend, scenario); !text.empty()) {
      problems.push_back({"--backend", std::move(text)});
    }
  }
  support::gathered(problems, [&] { check_backend(backend, "--backend"); });
  for (const SearcherSpec& searcher : plan.searchers) {
    if (!launches_short(searcher) || runs_short_launches(backend)) continue;
    problems.push_back({"--searcher",
                        "expected none that launches a share of a job's steps, which "
                        "the simulator alone can run, got " +
                            searcher.text});
  }
  if (!has_instances(backend) && plan.first_instance + plan.instances > 1) {
    const bool one = plan.instances == 1;
    problems.push_back(
        {instance_option(plan), std::string("expected ") + (one ? "0" : "1") +
                                    " with a backend that is no simulator, got " +
                                    std::to_string(one ? plan.first_instance : plan.instances)});
  }
  check_seal(problems, plan, backend);
  check_warm_start(problems, plan);
  support::throw_if_any(problems);
}

}  // namespace cubicbench::search
