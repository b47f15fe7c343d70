#include "scenarios/collective/asked_cluster.h"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/readers/network_reader.h"
#include "scenarios/readers/scenario_reader.h"
#include "support/json/strict_json.h"
#include "support/suggestion.h"

namespace cubicbench::scenarios {
namespace {

bool is_scenario(const nlohmann::ordered_json& json) {
  const bool told = json.is_object() && json.contains("schema") && json["schema"].is_string();
  return told && json["schema"].get<std::string>().starts_with("cubicbench.scenario/");
}

/// Of a node of the scenario, which may have fewer GPUs than a domain of its network.
double adapters_of_node(const Scenario& scenario, const std::string& directory,
                        const std::string& where) {
  std::vector<support::Problem> problems;
  const NetworkDescription network = read_network_description(
      find_document(Kind::network, scenario.network, directory, where), problems);
  support::throw_if_any(problems);
  return network.adapters * static_cast<double>(scenario.cluster.gpus_per_node) /
         static_cast<double>(network.domain_gpus);
}

AskedCluster of_scenario(Document document, const std::string& where) {
  const std::string directory = document.directory;
  const Scenario scenario = read_scenario(std::move(document), {}, Origin::file);
  const sim::Cluster& cluster = scenario.cluster;
  return {.name = scenario.name,
          .network = cluster.network,
          .gpus_per_domain = cluster.gpus_per_node,
          .gpus = cluster.gpus,
          .adapters = adapters_of_node(scenario, directory, where),
          .placement = cluster.placement};
}

AskedCluster of_network(const Document& document) {
  std::vector<support::Problem> problems;
  const NetworkDescription read = read_network_description(document, problems);
  support::throw_if_any(problems);
  return {.name = read.name,
          .network = read.network,
          .gpus_per_domain = read.domain_gpus,
          .adapters = read.adapters};
}

[[noreturn]] void refuse_name(const std::string& name, const std::string& where) {
  std::vector<std::string> candidates;
  for (const Kind kind : {Kind::network, Kind::scenario}) {
    for (const Entry& entry : names(kind)) candidates.push_back(entry.name);
  }
  const std::string suggestion = support::did_you_mean(name, candidates);
  throw support::InputError(
      where, "unknown network or scenario \"" + support::shortened(name) + "\"" +
                 (suggestion.empty() ? "; cubicbench list networks has all" : suggestion));
}

}  // namespace

AskedCluster read_asked_cluster(const std::string& name_or_path, const std::string& where) {
  const bool ships_network = text(Kind::network, name_or_path).has_value();
  const bool ships_scenario = text(Kind::scenario, name_or_path).has_value();
  if (!ships_network && !ships_scenario && !is_path(name_or_path)) refuse_name(name_or_path, where);
  const Kind kind = ships_scenario && !ships_network ? Kind::scenario : Kind::network;
  Document document = find_document(kind, name_or_path, "", where);
  const auto json = support::parse_json(document.text, document.file);
  if (!is_scenario(json)) return of_network(document);
  if (json.contains("table")) {
    throw support::InputError(where, "expected a network or a scenario with a model, got \"" +
                                         name_or_path + "\", a table of runs");
  }
  return of_scenario(std::move(document), where);
}

}  // namespace cubicbench::scenarios
