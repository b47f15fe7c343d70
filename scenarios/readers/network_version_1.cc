#include "scenarios/readers/network_version_1.h"

namespace cubicbench::scenarios {
namespace {

constexpr double micro = 1e-6;
constexpr double giga = 1e9;

sim::DomainCosts domain_costs(Description& in) {
  sim::DomainCosts costs;
  const double efficiency = in.number("intra_efficiency", 0.01, 1.0, 1.0);
  costs.simple = {.share = efficiency,
                  .base = {in.number("collective_overhead_us", 0.0, 1e6, 0.0) * micro},
                  .step = {in.number("intra_latency_us", 0.0, 1e6, 0.0) * micro},
                  .fill = {}};
  costs.exchange_floor = costs.simple.base;
  costs.exchange_share = efficiency;
  costs.message_base = costs.simple.base;
  costs.message_share = efficiency;
  return costs;
}

sim::FabricCosts fabric_costs(Description& in, sim::Seconds start) {
  const double efficiency = in.number("inter_efficiency", 0.01, 1.0, 1.0);
  const sim::Seconds latency{in.number("inter_latency_us", 0.0, 1e6, 0.0) * micro};
  const sim::FabricFamily ring{.share = efficiency, .base = start + latency, .fill = {}};
  sim::FabricCosts costs{.reduce = ring, .gather = ring, .exchange = ring};
  costs.reduce.base = start + 2.0 * latency;
  costs.exchange.share = in.number("all_to_all_efficiency", 0.01, 1.0, 0.66);
  costs.message.base = latency;
  costs.message.share = efficiency;
  costs.trees = false;
  return costs;
}

}  // namespace

NetworkDescription read_network_version_1(Description& in) {
  NetworkDescription read;
  sim::Network& network = read.network;
  network.intra_bandwidth = {in.required("intra_bandwidth_gb_s", 0.001, 1e6) * giga};
  network.intra = domain_costs(in);
  network.inter_bandwidth = {in.required("inter_bandwidth_gb_s", 0.001, 1e6) * giga};
  network.inter = fabric_costs(in, network.intra.simple.base);
  network.direct_peers = in.integer("direct_peers", 0, 1023, 0);
  if (network.direct_peers > 0) network.domain = sim::DomainKind::direct;
  in.finish();
  return read;
}

}  // namespace cubicbench::scenarios
