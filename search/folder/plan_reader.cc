#include "search/folder/plan_reader.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "datasets/problem/table_scenario.h"
#include "scenarios/readers/campaign_reader.h"
#include "scenarios/readers/objective_reader.h"
#include "search/backends/backend_factory.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::search {
namespace {

using scenarios::Scenario;
using support::InputError;
using support::ObjectReader;
using support::Problem;
using support::ValueReader;

void add(std::vector<Problem>& problems, const InputError& error) {
  problems.insert(problems.end(), error.problems().begin(), error.problems().end());
}

std::optional<Scenario> find_scenario(ObjectReader& in, const std::string& name) {
  if (name.empty()) return std::nullopt;  // said already
  try {
    return datasets::read_scenario(name);
  } catch (const InputError& error) {
    in.problem("scenario", error.problems().front().text);
    return std::nullopt;
  }
}

/// Where a plan says what is judged, it must be what the scenario found says.
void check_objective(ObjectReader& in, const std::optional<Scenario>& scenario) {
  std::optional<ObjectReader> object = in.optional_object("objective");
  if (!object) return;
  const std::size_t before = in.problems().size();
  const scenarios::Objective objective = scenarios::read_objective(*object);
  object->finish();
  if (scenario && in.problems().size() == before && objective != scenario->objective) {
    in.problem("objective", "expected that of the scenario of this version, got another");
  }
}

/// One entry of `scenarios`; the second is its budget, which the plan has once for all.
std::optional<Scenario> read_entry(const ValueReader& value,
                                   std::vector<std::optional<std::int64_t>>& trials) {
  ObjectReader in = value.object();
  std::optional<Scenario> scenario = find_scenario(in, in.string("scenario"));
  const std::string sha256 = in.string("scenario_sha256", "");
  if (scenario && !sha256.empty() && sha256 != scenario->sha256) {
    in.problem("scenario_sha256", "expected " + scenario->sha256 +
                                      ", the scenario of this version, got \"" +
                                      support::shortened(sha256) + "\"");
  }
  in.allow("truth_sha256");
  if (in.has("trials")) {
    trials.emplace_back(in.integer("trials", 1, scenarios::trials_max));
  } else {
    in.allow("trials");
    trials.emplace_back();
  }
  check_objective(in, scenario);
  in.finish();
  return scenario;
}

void read_scenarios(ObjectReader& in, SearchPlan& plan) {
  const std::size_t before = in.problems().size();
  std::vector<std::optional<std::int64_t>> trials;
  for (const ValueReader& value : in.array("scenarios")) {
    if (std::optional<Scenario> scenario = read_entry(value, trials)) {
      plan.scenarios.push_back(std::move(*scenario));
    }
  }
  if (in.problems().size() != before || trials.empty()) return;
  bool budgets = true;  // every scenario has its own
  bool equal = true;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const std::int64_t budget = plan.scenarios[i].budget.trials;
    budgets = budgets && trials[i].value_or(budget) == budget;
    equal = equal && trials[i] == trials.front();
  }
  if (!budgets && equal) plan.trials = trials.front();
  if (!budgets && !equal) {
    in.problem("scenarios",
               "expected the same \"trials\" for all, or the budget of each, got others");
  }
}

void read_searchers(ObjectReader& in, SearchPlan& plan) {
  for (const ValueReader& value : in.array("searchers")) {
    ObjectReader entry = value.object();
    const std::string text = entry.string("searcher");
    entry.allow("options");  // the text has those that are not the defaults
    entry.finish();
    if (!entry.has("searcher") || !entry.raw("searcher")->is_string()) continue;
    try {
      plan.searchers.push_back(parse_searcher(text, entry.where("searcher")));
    } catch (const InputError& error) {
      add(in.problems(), error);
    }
  }
}

void read_shard(ObjectReader& in, Shard& shard) {
  const std::string text = in.string("shard", text_of(shard));
  try {
    shard = parse_shard(text, in.where("shard"));
  } catch (const InputError& error) {
    add(in.problems(), error);
  }
}

void read_rest(ObjectReader& in, SearchPlan& plan) {
  plan.seeds = in.integer("seeds", 1, scenarios::seeds_max, 1);
  plan.instances = in.integer("instances", 1, scenarios::instances_max, 1);
  plan.salt_sha256 = in.string("salt_sha256", "");
  plan.slots = in.integer("slots", 1, scenarios::slots_max, 1);
  const auto telling =
      in.one_of("telling", telling_names(), static_cast<std::size_t>(plan.telling));
  plan.telling = static_cast<Telling>(telling);
  plan.backend = in.string("backend", usual_backend(plan.scenarios));
  plan.permute = in.boolean("permute", false);
  read_shard(in, plan.shard);
  if (is_hashed_backend(plan.backend)) return;  // the command line has to say which command it was
  try {
    parse_backend(plan.backend, in.where("backend"));
  } catch (const InputError& error) {
    add(in.problems(), error);
  }
}

}  // namespace

SearchPlan read_plan(const std::string& path) {
  constexpr std::string_view schemas[] = {"cubicbench.plan/1"};
  const nlohmann::ordered_json json = support::parse_json(support::read_file(path), path);
  std::vector<Problem> problems;
  ObjectReader in(json, path, "", problems);
  in.one_of("schema", schemas);
  support::throw_if_any(problems);
  in.allow("version");
  SearchPlan plan;
  read_scenarios(in, plan);
  read_searchers(in, plan);
  read_rest(in, plan);
  in.finish();
  support::throw_if_any(problems);
  return plan;
}

}  // namespace cubicbench::search
