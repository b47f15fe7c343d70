#include "scenarios/readers/place_name.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/ids.h"
#include "sim/network/topologies.h"
#include "support/parsed.h"

namespace cubicbench::scenarios {
namespace {

constexpr const char* any_place = "gpu:G, domain:D, adapter:D/A or switch:LAYER/BLOCK/NUMBER";
constexpr std::size_t neighbours_shown = 4;

/// A name in its parts: "adapter:1/4" is "adapter" and 1, 4.
struct Parts {
  std::string_view kind;
  std::vector<std::int64_t> numbers;  ///< none of a name that has another form
};

Parts parts_of(std::string_view name) {
  Parts parts;
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return parts;
  parts.kind = name.substr(0, colon);
  for (std::size_t begin = colon; begin < name.size();) {
    const std::size_t end = std::min(name.find('/', begin + 1), name.size());
    const auto number = support::parsed<std::int64_t>(name.substr(begin + 1, end - begin - 1));
    if (number.value_or(-1) < 0) return {};
    parts.numbers.push_back(*number);
    begin = end;
  }
  return parts;
}

std::string pair_name(std::int64_t first, std::int64_t second) {
  return std::to_string(first) + "/" + std::to_string(second);
}

/// "gpu:0 to gpu:7", or the only one there is.
std::string from_to(const std::string& first, const std::string& last) {
  return first == last ? first : first + " to " + last;
}

/// No place, but what could stand there.
NamedPlace none(std::string expected) { return {.place = {}, .expected = std::move(expected)}; }

NamedPlace find_gpu(const sim::Topology& topology, std::int64_t gpu) {
  const std::int64_t gpus = topology.shape.gpus;
  if (gpu < gpus) return {.place = sim::gpu_vertex(gpu), .expected = ""};
  return none(from_to("gpu:0", "gpu:" + std::to_string(gpus - 1)));
}

NamedPlace find_domain(const sim::Topology& topology, std::int64_t domain) {
  if (topology.shape.domain != sim::DomainKind::switched) {
    return none("another place, as the domains of this cluster have no switch");
  }
  const std::int64_t domains = sim::domains_of(topology.shape);
  if (domain < domains) return {.place = sim::domain_switch(topology, domain), .expected = ""};
  return none(from_to("domain:0", "domain:" + std::to_string(domains - 1)));
}

NamedPlace find_adapter(const sim::Topology& topology, std::int64_t domain, std::int64_t adapter) {
  const std::int64_t domains = sim::domains_of(topology.shape);
  const std::int64_t adapters = topology.shape.adapters;
  if (domain < domains && adapter < adapters) {
    return {.place = sim::adapter_vertex(topology, domain, adapter), .expected = ""};
  }
  return none(from_to("adapter:0/0", "adapter:" + pair_name(domains - 1, adapters - 1)));
}

NamedPlace find_switch(const sim::Topology& topology, std::span<const std::int64_t> numbers) {
  const auto layers = static_cast<std::int64_t>(topology.layers.count);
  if (numbers[0] >= layers) {
    return none(
        from_to("switch:0/BLOCK/NUMBER", "switch:" + std::to_string(layers - 1) + "/BLOCK/NUMBER"));
  }
  const auto number = static_cast<std::size_t>(numbers[0]);
  const sim::SwitchLayer& layer = topology.layers.layer[number];
  if (numbers[1] < layer.blocks && numbers[2] < layer.switches) {
    return {.place = sim::fabric_switch(topology, number, numbers[1], numbers[2]), .expected = ""};
  }
  const std::string prefix = "switch:" + std::to_string(number) + "/";
  return none(from_to(prefix + "0/0", prefix + pair_name(layer.blocks - 1, layer.switches - 1)));
}

}  // namespace

std::string place_name(const sim::Topology& topology, sim::VertexId place) {
  const sim::Vertex& vertex = topology.vertices[place];
  switch (vertex.kind) {
    case sim::VertexKind::gpu:
      return "gpu:" + std::to_string(sim::index_of(place));
    case sim::VertexKind::domain_switch:
      return "domain:" + std::to_string(vertex.block);
    case sim::VertexKind::adapter:
      return "adapter:" + pair_name(vertex.block, vertex.index);
    case sim::VertexKind::fabric_switch:
      break;
  }
  return "switch:" + std::to_string(vertex.tier) + "/" + pair_name(vertex.block, vertex.index);
}

NamedPlace find_place(const sim::Topology& topology, const std::string& name) {
  const auto [kind, numbers] = parts_of(name);
  const bool beyond_domains = kind == "adapter" || kind == "switch";
  if (kind == "gpu" && numbers.size() == 1) return find_gpu(topology, numbers[0]);
  if (kind == "domain" && numbers.size() == 1) return find_domain(topology, numbers[0]);
  if (beyond_domains && topology.layers.count == 0) {
    return none("a GPU or the switch of a domain, as this cluster is one domain");
  }
  if (kind == "adapter" && numbers.size() == 2) {
    return find_adapter(topology, numbers[0], numbers[1]);
  }
  if (kind == "switch" && numbers.size() == 3) return find_switch(topology, numbers);
  return none(any_place);
}

std::string neighbour_names(const sim::Topology& topology, sim::VertexId place) {
  std::string names;
  std::size_t shown = 0;
  std::optional<sim::VertexId> before;  // cables side by side follow on one another
  for (const sim::LinkId link : sim::links_from(topology, place)) {
    const sim::VertexId to = topology.links[link].to;
    if (before == to) continue;
    before = to;
    if (++shown > neighbours_shown) return names + ", ...";
    names += (names.empty() ? "" : ", ") + place_name(topology, to);
  }
  return names;
}

}  // namespace cubicbench::scenarios
