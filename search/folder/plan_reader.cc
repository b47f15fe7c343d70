#include "search/folder/plan_reader.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "datasets/problem/table_scenario.h"
#include "scenarios/catalog.h"
#include "scenarios/family/member_name.h"
#include "scenarios/readers/campaign_reader.h"
#include "scenarios/readers/description_reader.h"
#include "scenarios/readers/objective_reader.h"
#include "search/backends/backend_factory.h"
#include "search/folder/campaign.h"
#include "search/folder/plan_json.h"
#include "search/folder/warm_start_json.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/json/filled_string.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::search {
namespace {

using scenarios::Scenario;
using support::InputError;
using support::ObjectReader;
using support::ValueReader;

Shard read_shard(ObjectReader& in) {
  const std::string text = in.string("shard", text_of(Shard{}));
  return support::gathered(in.problems(), [&] { return parse_shard(text, in.where("shard")); });
}

/// The names of studies, and so of files, begin with it.
void check_file_name(const std::string& scenario, ObjectReader& in) {
  const std::size_t end =
      scenarios::is_member_name(scenario) ? scenario.rfind('@') : scenario.size();
  scenarios::check_name(scenario.substr(0, end), in.where("scenario"), in.problems());
}

AskedScenario read_asked_scenario(const ValueReader& value) {
  ObjectReader in = value.object();
  AskedScenario scenario;
  scenario.name = in.string("scenario");
  check_file_name(scenario.name, in);
  scenario.sha256 = in.string("scenario_sha256");
  for (const ValueReader& truth : in.array("truth_sha256")) {
    scenario.truth_sha256.push_back(truth.string());
  }
  scenario.trials = in.integer("trials", 1, scenarios::trials_max);
  ObjectReader objective = in.object("objective");
  scenario.objective = scenarios::read_objective(objective);
  objective.finish();
  in.finish();
  return scenario;
}

/// What a few digits of a plan ask for is looked for, study by study.
void check_size(const AskedSearch& asked, ObjectReader& in) {
  const std::int64_t listed = std::ssize(asked.scenarios) * std::ssize(asked.searchers);
  if (listed > studies_max ||
      asked.instances * asked.seeds > studies_max / std::max<std::int64_t>(listed, 1)) {
    in.problem("seeds", "expected at most " + std::to_string(studies_max) +
                            " studies, each of a scenario, an instance, a searcher and a seed");
  }
  for (std::size_t i = 0; i < asked.scenarios.size(); ++i) {
    const std::int64_t truths = std::ssize(asked.scenarios[i].truth_sha256);
    if (truths == 0 || truths == asked.instances) continue;
    in.problem("instances", "expected " + std::to_string(truths) +
                                ", the truth_sha256 of scenario " + std::to_string(i) + ", got " +
                                std::to_string(asked.instances));
    return;
  }
}

void read_members(ObjectReader& in, AskedSearch& asked) {
  asked.version = in.string("version");
  for (const ValueReader& value : in.array("scenarios")) {
    asked.scenarios.push_back(read_asked_scenario(value));
  }
  for (const ValueReader& value : in.array("searchers")) {
    ObjectReader searcher = value.object();
    asked.searchers.push_back(searcher.string("searcher"));
    searcher.allow("options");  // the text has those that are not the defaults
    searcher.finish();
  }
  asked.seeds = in.integer("seeds", 1, scenarios::seeds_max);
  asked.instances = in.integer("instances", 1, scenarios::instances_max);
  asked.salt_sha256 = in.string("salt_sha256", "");
  asked.slots = in.integer("slots", 1, scenarios::slots_max);
  asked.telling = in.string("telling");
  asked.backend = in.string("backend");
  asked.first_seed = in.integer("first_seed", 0, first_max, 0);
  asked.first_instance = in.integer("first_instance", 0, first_max, 0);
  asked.suite = in.string("suite", "");
  asked.start = in.string("start", asked.start);
  asked.permute = in.boolean("permute", false);
  if (auto warm = in.optional_object("warm_start")) asked.warm_start = read_warm_starts(*warm);
  asked.shard = read_shard(in);
  check_size(asked, in);
}

/// What sealed members of families are drawn from.
using SealOfPlan = std::shared_ptr<const scenarios::Seal>;

std::optional<Scenario> find_scenario(ObjectReader& in, const std::string& name, bool is_sealed,
                                      const SealOfPlan& seal) {
  if (name.empty()) return std::nullopt;  // said already
  if (is_sealed && !seal && scenarios::is_member_name(name)) {
    in.problem("scenario", "expected --salt FILE beside the plan: the member is drawn from it");
    return std::nullopt;
  }
  try {
    return datasets::read_scenario(name, {}, is_sealed ? seal : nullptr);
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
std::optional<Scenario> read_entry(const ValueReader& value, bool is_sealed, const SealOfPlan& seal,
                                   std::vector<std::optional<std::int64_t>>& trials) {
  ObjectReader in = value.object();
  const std::string name = support::filled_string(in, "scenario", "a scenario");
  std::optional<Scenario> scenario = find_scenario(in, name, is_sealed, seal);
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

void read_scenarios(ObjectReader& in, const SealOfPlan& seal, SearchPlan& plan) {
  const bool is_sealed = !plan.salt_sha256.empty();
  const std::size_t before = in.problems().size();
  std::vector<std::optional<std::int64_t>> trials;
  for (const ValueReader& value : in.array("scenarios")) {
    if (std::optional<Scenario> scenario = read_entry(value, is_sealed, seal, trials)) {
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
    entry.allow("options");
    entry.finish();
    if (!entry.has("searcher") || !entry.raw("searcher")->is_string()) continue;
    support::gathered(in.problems(), [&] {
      plan.searchers.push_back(parse_searcher(text, entry.where("searcher")));
    });
  }
}

void read_members(ObjectReader& in, SearchPlan& plan, const SealOfPlan& seal) {
  in.allow("version");
  plan.salt_sha256 = in.string("salt_sha256", "");
  read_scenarios(in, seal, plan);
  read_searchers(in, plan);
  plan.seeds = in.integer("seeds", 1, scenarios::seeds_max, 1);
  plan.instances = in.integer("instances", 1, scenarios::instances_max, 1);
  plan.slots = in.integer("slots", 1, scenarios::slots_max, 1);
  const auto telling =
      in.one_of("telling", telling_names(), static_cast<std::size_t>(plan.telling));
  plan.telling = static_cast<Telling>(telling);
  plan.backend = in.string("backend", usual_backend(plan.scenarios));
  plan.first_seed = in.integer("first_seed", 0, first_max, 0);
  plan.first_instance = in.integer("first_instance", 0, first_max, 0);
  plan.suite = in.string("suite", "");
  const auto start = in.one_of("start", start_names(), static_cast<std::size_t>(plan.start));
  plan.start = static_cast<Start>(start);
  plan.permute = in.boolean("permute", false);
  if (auto warm = in.optional_object("warm_start")) plan.warm_start = read_warm_starts(*warm);
  plan.shard = read_shard(in);
  if (is_hashed_backend(plan.backend)) return;  // the command line has to say which command it was
  support::gathered(in.problems(), [&] { parse_backend(plan.backend, in.where("backend")); });
}

/// A plan.json with nothing wrong.
template <typename Plan, typename... More>
Plan read_as(const std::string& path, const More&... more) {
  constexpr std::string_view schemas[] = {"cubicbench.plan/1"};
  const nlohmann::ordered_json json = support::parse_json(support::read_file(path), path);
  std::vector<support::Problem> problems;
  ObjectReader in(json, path, "", problems);
  in.one_of("schema", schemas);
  support::throw_if_any(problems);
  Plan plan;
  read_members(in, plan, more...);
  in.finish();
  support::throw_if_any(problems);
  return plan;
}

}  // namespace

AskedSearch read_asked_search(const std::filesystem::path& path) {
  return read_as<AskedSearch>(path.string());
}

std::optional<Scenario> library_scenario(const std::string& name, const std::string& sha256) {
  const bool is_member = scenarios::is_member_name(name);
  if (!is_member && !scenarios::text(scenarios::Kind::scenario, name)) return std::nullopt;
  try {
    Scenario scenario = datasets::read_scenario(name);
    return scenario.sha256 == sha256 ? std::optional(std::move(scenario)) : std::nullopt;
  } catch (const InputError&) {
    if (!is_member) throw;
    return std::nullopt;  // of a family at a path, or of another version
  }
}

SearchPlan read_plan(const std::string& path, const std::shared_ptr<const scenarios::Seal>& seal) {
  return read_as<SearchPlan>(path, seal);
}

}  // namespace cubicbench::search
