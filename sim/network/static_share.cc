#include "sim/network/static_share.h"

#include <algorithm>

#include "sim/network/mix.h"
#include "sim/network/topologies.h"

namespace cubicbench::sim {
namespace {

/// What is demanded of each link or bundle.
template <class Id>
using Loads = IdVector<Id, BytesPerSecond>;

/// Lowers `kept` to what a resource of `rate` leaves of a total of `load`.
void hold_up(double& kept, BytesPerSecond rate, BytesPerSecond load) {
  if (load > rate) kept = std::min(kept, rate / load);
}

std::vector<double> shares_of_links(const Topology& topology, std::span<const SteadyFlow> flows) {
  Loads<LinkId> loads(topology.links.size());
  for (const SteadyFlow& flow : flows) {
    for (const LinkId link : flow.route.links()) loads[link] += flow.demand;
  }
  std::vector<double> shares(flows.size(), 1.0);
  for (std::size_t i = 0; i < flows.size(); ++i) {
    for (const LinkId link : flows[i].route.links()) {
      hold_up(shares[i], topology.links[link].rate, loads[link]);
    }
  }
  return shares;
}

std::vector<double> shares_of_bundles(const Topology& topology, std::span<const SteadyFlow> flows) {
  Loads<BundleId> loads(topology.bundles.size());
  for (const SteadyFlow& flow : flows) {
    for (const LinkId link : flow.route.links()) {
      loads[topology.links[link].bundle] += flow.demand;
    }
  }
  std::vector<double> shares(flows.size(), 1.0);
  for (std::size_t i = 0; i < flows.size(); ++i) {
    for (const LinkId link : flows[i].route.links()) {
      const BundleId bundle = topology.links[link].bundle;
      hold_up(shares[i], topology.bundles[bundle], loads[bundle]);
    }
  }
  return shares;
}

SteadyFlow steady_flow(const Topology& topology, std::int64_t from, std::int64_t to,
                       BytesPerSecond demand) {
  const auto label = static_cast<std::uint64_t>(from) << 32U | static_cast<std::uint64_t>(to);
  return {route(topology, {.from = from, .to = to, .flow = mix(label)}), demand};
}

/// Members of one domain: places `first` to `end` - 1 of a group.
struct Run {
  std::size_t first;
  std::size_t end;
};

std::vector<Run> runs_of(const Topology& topology, std::span<const std::int64_t> group) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < group.size(); ++i) {
    const bool goes_on =
        i > 0 && domain_of(topology.shape, group[i]) == domain_of(topology.shape, group[i - 1]);
    if (goes_on) {
      runs.back().end = i + 1;
    } else {
      runs.push_back({i, i + 1});
    }
  }
  return runs;
}

}  // namespace

std::vector<double> static_shares(const Topology& topology, std::span<const SteadyFlow> flows,
                                  Spreading spreading) {
  return spreading == Spreading::hashed ? shares_of_links(topology, flows)
                                        : shares_of_bundles(topology, flows);
}

std::vector<SteadyFlow> ring_flows(const Topology& topology, std::span<const std::int64_t> group) {
  const TopologyShape& shape = topology.shape;
  const std::vector<Run> runs = runs_of(topology, group);
  std::vector<SteadyFlow> flows;
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const Run here = runs[k];
    const std::size_t count = here.end - here.first;
    for (std::size_t i = 0; count > 1 && i < count; ++i) {
      flows.push_back(steady_flow(topology, group[here.first + i],
                                  group[here.first + (i + 1) % count], shape.domain_rate));
    }
    if (runs.size() == 1) break;
    const Run next = runs[(k + 1) % runs.size()];
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t peer = next.first + i % (next.end - next.first);
      flows.push_back(
          steady_flow(topology, group[here.first + i], group[peer], shape.adapter_rate));
    }
  }
  return flows;
}

std::vector<SteadyFlow> all_to_all_flows(const Topology& topology,
                                         std::span<const std::int64_t> group) {
  const TopologyShape& shape = topology.shape;
  std::vector<SteadyFlow> flows;
  for (const Run& run : runs_of(topology, group)) {
    const auto near = static_cast<double>(run.end - run.first - 1);
    const auto far = static_cast<double>(group.size()) - near - 1.0;
    for (std::size_t i = run.first; i < run.end; ++i) {
      for (std::size_t j = 0; j < group.size(); ++j) {
        if (i == j) continue;
        const bool is_near = j >= run.first && j < run.end;
        flows.push_back(steady_flow(topology, group[i], group[j],
                                    is_near ? shape.domain_rate / near : shape.adapter_rate / far));
      }
    }
  }
  return flows;
}

}  // namespace cubicbench::sim
