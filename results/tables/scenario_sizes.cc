#include "results/tables/scenario_sizes.h"

#include <nlohmann/json.hpp>

#include "datasets/problem/table_scenario.h"
#include "results/embedded.h"
#include "scenarios/catalog.h"
#include "support/json/json_document.h"
#include "support/sha256.h"

namespace cubicbench::results {
namespace {

using scenarios::Kind;
using Json = nlohmann::ordered_json;

std::string hash_of(const std::string& name) {
  return support::sha256_hex(scenarios::text(Kind::scenario, name).value_or(""));
}

ScenarioSize counted_size(const std::string& name) {
  const scenarios::Scenario scenario = datasets::read_scenario(name);
  return {.gpus = scenario.space.facts().gpus, .configurations = scenario.space.count()};
}

const Json& known_sizes() {
  static const Json sizes = [] {
    const auto* const found = support::find_embedded(embedded_files(), "sizes/scenarios.json");
    return found == nullptr ? Json::object() : Json::parse(found->text)["scenarios"];
  }();
  return sizes;
}

}  // namespace

ScenarioSize size_of_scenario(const std::string& name) {
  const auto known = known_sizes().find(name);
  if (known == known_sizes().end() || (*known)["text_sha256"] != hash_of(name)) {
    return counted_size(name);
  }
  return {.gpus = (*known)["gpus"], .configurations = (*known)["configurations"]};
}

std::string counted_sizes() {
  Json document{{"scenarios", Json::object()}};
  for (const scenarios::Entry& entry : scenarios::names(Kind::scenario)) {
    const ScenarioSize size = counted_size(entry.name);
    document["scenarios"][entry.name] = {{"text_sha256", hash_of(entry.name)},
                                         {"gpus", size.gpus},
                                         {"configurations", size.configurations}};
  }
  return support::document_text(document);
}

}  // namespace cubicbench::results
