#include "scenarios/readers/network_canonical.h"

#include <nlohmann/json.hpp>
#include <string>

#include "scenarios/constants/collective_constants.h"
#include "scenarios/readers/network_reader.h"

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;

/// Numbers in the file's units, so that a text changes only where a file's number does.
template <class Costs>
Json costs_json(std::span<const CollectiveConstant<Costs>> constants, const Costs& costs) {
  Json json = Json::object();
  for (const CollectiveConstant<Costs>& constant : constants) {
    json[std::string(constant.name)] = value_of(constant, costs);
  }
  return json;
}

Json tiers_json(const sim::Network& network) {
  Json tiers = Json::array();
  for (const sim::Tier& tier : network.tiers) {
    if (tier.gpus == 0) continue;
    tiers.push_back({{"gpus", tier.gpus},
                     {"oversubscription", tier.oversubscription},
                     {"latency_s", tier.latency.value}});
  }
  return tiers;
}

}  // namespace

Json canonical_json(const sim::Network& n) {
  Json fabric = costs_json(fabric_constants(), n.inter);
  fabric["trees"] = n.inter.trees;
  return {{"domain", domain_kind_names()[static_cast<std::size_t>(n.domain)]},
          {"direct_peers", n.direct_peers},
          {"rings", n.rings},
          {"torus", n.torus},
          {"torus_wraps", n.torus_wraps},
          {"intra_bytes_per_s", n.intra_bandwidth.value},
          {"intra_efficiency", n.intra_efficiency},
          {"intra_delay", n.intra_delay},
          {"intra", costs_json(domain_constants(), n.intra)},
          {"fabric", fabric_kind_names()[static_cast<std::size_t>(n.fabric)]},
          {"tiers", tiers_json(n)},
          {"inter_bytes_per_s", n.inter_bandwidth.value},
          {"inter_efficiency", n.inter_efficiency},
          {"inter_delay", n.inter_delay},
          {"inter", fabric},
          {"collective_overhead_s", n.collective_overhead.value}};
}

}  // namespace cubicbench::scenarios
