#include "scenarios/asked_cluster.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/library_entry.h"
#include "scenarios/network_reader.h"
#include "scenarios/scenario_reader.h"
#include "scenarios/strict_json.h"
#include "scenarios/suggestion.h"

namespace cubicbench::scenarios {
namespace {

bool is_scenario(const std::string& name_or_path, const std::string& where) {
  if (!is_path(name_or_path)) return text(Kind::scenario, name_or_path).has_value();
  const Document document = find_document(Kind::network, name_or_path, "", where);
  const auto json = parse_json(document.text, document.file);
  const bool told = json.is_object() && json.contains("schema") && json["schema"].is_string();
  return told && json["schema"].get<std::string>().starts_with("cubicbench.scenario/");
}

AskedCluster of_scenario(const std::string& name_or_path, const std::string& where) {
  for (const Entry& entry : names(Kind::scenario)) {
    if (entry.name != name_or_path) continue;
    const auto json = parse_json(*text(Kind::scenario, entry.name), entry.name);
    if (json.contains("table")) {
      throw InputError(where, "expected a network or a scenario with a model, got \"" + entry.name +
                                  "\", a table of runs");
    }
  }
  const Scenario scenario = read_scenario(name_or_path, {});
  return {.name = scenario.name,
          .network = scenario.cluster.network,
          .gpus_per_domain = scenario.cluster.gpus_per_node,
          .gpus = scenario.cluster.gpus};
}

AskedCluster of_network(const std::string& name_or_path, const std::string& where) {
  std::vector<Problem> problems;
  const Document document = find_document(Kind::network, name_or_path, "", where);
  const NetworkDescription read = read_network_description(document, problems);
  throw_if_any(problems);
  return {.name = read.name,
          .network = read.network,
          .gpus_per_domain = read.domain_gpus,
          .adapters = read.adapters};
}

[[noreturn]] void refuse(const std::string& name, const std::string& where) {
  std::vector<std::string> candidates;
  for (const Kind kind : {Kind::network, Kind::scenario}) {
    for (const Entry& entry : names(kind)) candidates.push_back(entry.name);
  }
  throw InputError(where, "unknown network or scenario \"" + shortened(name) + "\"" +
                              did_you_mean(name, candidates));
}

}  // namespace

AskedCluster read_asked_cluster(const std::string& name_or_path, const std::string& where) {
  if (text(Kind::network, name_or_path)) return of_network(name_or_path, where);
  if (is_scenario(name_or_path, where)) return of_scenario(name_or_path, where);
  if (!is_path(name_or_path)) refuse(name_or_path, where);
  return of_network(name_or_path, where);
}

}  // namespace cubicbench::scenarios
