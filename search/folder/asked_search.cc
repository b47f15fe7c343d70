#include "search/folder/asked_search.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "scenarios/readers/campaign_reader.h"
#include "scenarios/readers/objective_reader.h"
#include "support/files.h"
#include "support/input_error.h"
#include "support/json/object_reader.h"
#include "support/json/strict_json.h"

namespace cubicbench::search {
namespace {

using support::ObjectReader;
using support::ValueReader;

AskedScenario read_scenario(const ValueReader& value) {
  ObjectReader in = value.object();
  AskedScenario scenario;
  scenario.name = in.string("scenario");
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

std::string read_searcher(const ValueReader& value) {
  ObjectReader in = value.object();
  std::string text = in.string("searcher");
  in.allow("options");  // the text has those that are not the defaults
  in.finish();
  return text;
}

Shard read_shard(ObjectReader& in) {
  const std::string text = in.string("shard", text_of(Shard{}));
  try {
    return parse_shard(text, in.where("shard"));
  } catch (const support::InputError& error) {
    in.problems().push_back(error.problems().front());
    return {};
  }
}

}  // namespace

AskedSearch read_asked_search(const std::filesystem::path& path) {
  constexpr std::string_view schemas[] = {"cubicbench.plan/1"};
  const nlohmann::ordered_json json = support::parse_json(support::read_file(path), path.string());
  std::vector<support::Problem> problems;
  ObjectReader in(json, path.string(), "", problems);
  in.one_of("schema", schemas);
  support::throw_if_any(problems);
  AskedSearch asked;
  asked.version = in.string("version");
  for (const ValueReader& value : in.array("scenarios")) {
    asked.scenarios.push_back(read_scenario(value));
  }
  for (const ValueReader& value : in.array("searchers")) {
    asked.searchers.push_back(read_searcher(value));
  }
  asked.seeds = in.integer("seeds", 1, scenarios::seeds_max);
  asked.instances = in.integer("instances", 1, scenarios::instances_max);
  asked.salt_sha256 = in.string("salt_sha256", "");
  asked.slots = in.integer("slots", 1, scenarios::slots_max);
  asked.telling = in.string("telling");
  asked.backend = in.string("backend");
  asked.permute = in.boolean("permute", false);
  asked.shard = read_shard(in);
  in.finish();
  support::throw_if_any(problems);
  return asked;
}

}  // namespace cubicbench::search
