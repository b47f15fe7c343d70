#include "sim/network/topology.h"

#include <algorithm>

namespace cubicbench::sim {
namespace {

bool is_sound(const Link& link, std::size_t vertices) {
  return index_of(link.from) < vertices && index_of(link.to) < vertices && link.from != link.to;
}

/// Whether going up from `from` leads to `to` and no further than one tier.
bool is_next_tier(const Vertex& from, const Vertex& to) {
  if (from.kind != VertexKind::fabric_switch || to.kind != VertexKind::fabric_switch) return true;
  return from.tier <= to.tier + 1 && to.tier <= from.tier + 1;
}

bool joins_all_gpus(const Topology& topology) {
  std::vector<bool> seen(topology.vertices.size(), false);
  std::vector<VertexId> open{VertexId{0}};
  seen[0] = true;
  std::int64_t gpus = 0;
  while (!open.empty()) {
    const VertexId at = open.back();
    open.pop_back();
    if (topology.vertices[at].kind == VertexKind::gpu) ++gpus;
    for (const LinkId link : links_from(topology, at)) {
      const VertexId to = topology.links[link].to;
      if (seen[index_of(to)]) continue;
      seen[index_of(to)] = true;
      open.push_back(to);
    }
  }
  return gpus == topology.shape.gpus;
}

}  // namespace

BundlePair add_bundles(Topology& topology) {
  const BundleId there = topology.bundles.push_back({});
  const BundleId back = topology.bundles.push_back({});
  return {there, back};
}

void add_cable(Topology& topology, VertexId from, VertexId to, BytesPerSecond rate, Seconds latency,
               BundlePair bundles) {
  topology.links.push_back({from, to, bundles.there, rate, latency});
  topology.links.push_back({to, from, bundles.back, rate, latency});
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
  for (const Link& link : topology.links) {
    if (is_sound(link, vertices)) ++first[index_of(link.from) + 1];
  }
  for (std::size_t i = 0; i < vertices; ++i) first[i + 1] += first[i];
  topology.leaving.assign(first[vertices], LinkId{});
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  for (std::size_t i = 0; i < topology.links.size(); ++i) {
    const LinkId id = id_at<LinkId>(i);
    const Link& link = topology.links[id];
    if (is_sound(link, vertices)) topology.leaving[next[index_of(link.from)]++] = id;
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

const char* problem_of(const Topology& topology) {
  const auto gpus = static_cast<std::size_t>(topology.shape.gpus);
  if (gpus < 1 || topology.vertices.size() < gpus) return "fewer vertices than GPUs";
  if (topology.first_leaving.size() != topology.vertices.size() + 1) return "links not indexed";
  for (const Link& link : topology.links) {
    if (!is_sound(link, topology.vertices.size())) {
      return "a link needs two different ends that exist";
    }
    if (!(link.rate > BytesPerSecond{})) return "a link needs a rate above zero";
    if (link.latency < Seconds{}) return "a link needs a latency of zero or more";
    if (!is_next_tier(topology.vertices[link.from], topology.vertices[link.to])) {
      return "a link skips a tier of switches";
    }
  }
  if (!joins_all_gpus(topology)) return "a GPU cannot be reached from another";
  return "";
}

}  // namespace cubicbench::sim
