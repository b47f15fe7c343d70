#include "sim/network/topology.h"

#include <algorithm>

namespace cubicbench::sim {

BundlePair add_bundles(Topology& topology) {
  const BundleId there = topology.bundles.push_back({});
  const BundleId back = topology.bundles.push_back({});
  return {there, back};
}

void add_links(Topology& topology, VertexId from, VertexId to, BytesPerSecond rate, Seconds latency,
               BundlePair bundles) {
  topology.links.push_back({from, to, bundles.there, rate, latency});
  topology.links.push_back({to, from, bundles.back, rate, latency});
}

void add_cable(Topology& topology, VertexId from, VertexId to, BytesPerSecond rate, Seconds latency,
               BundlePair bundles) {
  add_links(topology, from, to, rate, latency, bundles);
  topology.bundles[bundles.there] += rate;
  topology.bundles[bundles.back] += rate;
}

void add_cable(Topology& topology, VertexId from, VertexId to, BytesPerSecond rate,
               Seconds latency) {
  add_cable(topology, from, to, rate, latency, add_bundles(topology));
}

void index(Topology& topology) {
  const std::size_t vertices = topology.vertices.size();
  std::vector<std::uint32_t>& first = topology.first_leaving;
  first.assign(vertices + 1, 0);
  for (const Link& link : topology.links) ++first[index_of(link.from) + 1];
  for (std::size_t i = 0; i < vertices; ++i) first[i + 1] += first[i];
  topology.leaving.assign(first[vertices], LinkId{});
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (std::size_t i = 0; i < topology.links.size(); ++i) {
    const LinkId id = id_at<LinkId>(i);
    topology.leaving[next[index_of(topology.links[id].from)]++] = id;
  }
  const auto by_target = [&](LinkId a, LinkId b) {
    const Link& left = topology.links[a];
    const Link& right = topology.links[b];
    return left.to != right.to ? left.to < right.to : a < b;
  };
  for (std::size_t i = 0; i < vertices; ++i) {
    std::sort(topology.leaving.begin() + first[i], topology.leaving.begin() + first[i + 1],
              by_target);
  }
}

std::span<const LinkId> links_from(const Topology& topology, VertexId vertex) {
  const std::size_t row = index_of(vertex);
  SIM_ASSERT(row + 1 < topology.first_leaving.size(), row);
  const std::uint32_t begin = topology.first_leaving[row];
  return {topology.leaving.data() + begin, topology.first_leaving[row + 1] - begin};
}

std::span<const LinkId> links_between(const Topology& topology, VertexId vertex, VertexId first,
                                      VertexId last) {
  const std::span<const LinkId> all = links_from(topology, vertex);
  const auto begin = std::partition_point(
      all.begin(), all.end(), [&](LinkId link) { return topology.links[link].to < first; });
  const auto end = std::partition_point(
      begin, all.end(), [&](LinkId link) { return topology.links[link].to <= last; });
  return {begin, end};
}

}  // namespace cubicbench::sim
