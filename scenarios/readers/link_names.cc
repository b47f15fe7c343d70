#include "scenarios/readers/link_names.h"

#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/catalog.h"
#include "scenarios/readers/network_reader.h"

namespace cubicbench::scenarios {
namespace {

/// By what the names of their costs begin with.
constexpr std::pair<std::string_view, std::string_view> domains[] = {
    {"nvlink", "NVLink"}, {"xgmi", "xGMI"}, {"ici", "ICI"}};

constexpr std::pair<std::string_view, std::string_view> transports[] = {
    {"ib", "InfiniBand"},
    {"roce", "RoCE"},
    {"efa", "EFA"},
    {"tcp", "TCP"},
    {"tcpx", "TCPX"},
    {"tcpxo", "TCPXO"},
    {"slingshot", "Slingshot"},
    {"opa", "Omni-Path"},
    {"dcn", "the data-centre network"}};

}  // namespace

LinkNames link_names(const Scenario& scenario) {
  LinkNames names;
  if (is_path(scenario.network) || !text(Kind::network, scenario.network)) return names;
  std::vector<support::Problem> problems;
  const NetworkDescription network = read_network_description(
      find_document(Kind::network, scenario.network, "", scenario.network), problems);
  for (const auto& [costs, name] : domains) {
    if (network.domain_costs.starts_with(costs)) names.domain = name;
  }
  for (const auto& [transport, name] : transports) {
    if (network.transport == transport) names.fabric = name;
  }
  return names;
}

}  // namespace cubicbench::scenarios
