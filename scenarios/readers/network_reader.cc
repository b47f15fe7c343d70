#include "scenarios/readers/network_reader.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "scenarios/readers/collective_costs_reader.h"
#include "scenarios/readers/description.h"
#include "sim/network/link_rings.h"
#include "sim/network/topology_shape.h"
#include "support/json/filled_string.h"
#include "support/json/strict_json.h"
#include "support/prefixes.h"

namespace cubicbench::scenarios {
namespace {

using sim::DomainKind;

constexpr std::array versions{2, 1};
constexpr std::array<std::string_view, 4> domain_kinds{"switched", "direct", "cube_mesh", "torus"};
constexpr std::array<std::string_view, 5> fabric_kinds{"flat", "rail", "clos", "dragonfly",
                                                       "islands"};

constexpr std::array<std::string_view, 3> placements{"packed", "scattered", "partly_used"};

constexpr double bits_per_byte = 8.0;
constexpr double rate_max = 1e6;
constexpr std::int64_t domain_gpus_max = 1 << 20;
constexpr int cube_mesh_gpus = 8;
using support::giga;
using support::micro;

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

/// Reads the rest of a file of schema `cubicbench.network/1`, which had one rate, one efficiency
/// and one latency inside a node and one of each between nodes: they become those of the rings, and
/// there is no other protocol, no reduction in a switch and no pipeline to fill.
NetworkDescription read_network_version_1(Description& in) {
  NetworkDescription read;
  sim::Network& network = read.network;
  network.intra_bandwidth = {in.number("intra_bandwidth_gb_s", 0.001, 1e6) * giga};
  network.intra = domain_costs(in);
  network.inter_bandwidth = {in.number("inter_bandwidth_gb_s", 0.001, 1e6) * giga};
  network.inter = fabric_costs(in, network.intra.simple.base);
  network.direct_peers = in.integer("direct_peers", 0, 1023, 0);
  if (network.direct_peers > 0) network.domain = sim::DomainKind::direct;
  in.finish();
  return read;
}

/// Where a file has what a sim::ShapeProblem is about.
struct ShapePlace {
  std::string_view field, pointer;
};
constexpr std::array shape_places{ShapePlace{"tiers", "/fabric/tiers"},
                                  ShapePlace{"torus", "/domain/axes"},
                                  ShapePlace{"domain_gpus", "/domain/gpus"}};

/// Reads a network of version 2.
class NetworkFile {
 public:
  NetworkFile(const Document& document, Description& file, std::vector<support::Problem>& problems)
      : document_(document), problems_(problems) {
    support::ObjectReader domain = file.object("domain");
    read_domain(domain);
    domain.finish();
    support::ObjectReader fabric = file.object("fabric");
    read_fabric(fabric);
    fabric.finish();
    file.finish();
    check_shape(file);
  }

  NetworkDescription take() { return std::move(read_); }

 private:
  void read_domain(support::ObjectReader& in) {
    sim::Network& network = read_.network;
    network.domain = static_cast<DomainKind>(in.one_of("kind", domain_kinds));
    read_.domain_gpus = in.integer("gpus", 1, domain_gpus_max);
    network.intra_bandwidth = {in.number("gb_s", rate_min, rate_max) * giga};
    network.intra_efficiency = in.number("efficiency", 0.01, 4.0, 1.0);
    network.intra_delay = in.number("delay", 0.0, 100.0, 1.0);
    read_links(in);
    read_.domain_costs = support::filled_string(in, "costs", "a name or a path");
    network.intra = costs(in, read_.domain_costs, read_domain_costs);
    if (network.domain == DomainKind::switched || network.intra.nvls_share == 0.0) return;
    in.problem("costs",
               "expected costs without reduction in the switch (nvls), as a domain of "
               "kind " +
                   std::string(domain_kinds[static_cast<std::size_t>(network.domain)]) +
                   " has no switch, got \"" + read_.domain_costs + "\"");
  }

  /// What only some kinds of domains have.
  void read_links(support::ObjectReader& in) {
    sim::Network& network = read_.network;
    if (network.domain == DomainKind::direct) {
      network.direct_peers = static_cast<int>(in.integer("peers", 1, 1023));
    }
    if (network.domain == DomainKind::torus) read_axes(in);
    if (network.domain != DomainKind::cube_mesh) return;
    for (int gpus = 1; gpus <= cube_mesh_gpus; ++gpus) {
      network.rings[static_cast<std::size_t>(gpus)] = sim::cube_mesh_rings(gpus);
    }
  }

  void read_axes(support::ObjectReader& in) {
    const std::vector<support::ValueReader> axes = in.array("axes");
    read_.network.torus_wraps = in.boolean("wraps", true);
    if (in.has("axes") && (axes.empty() || axes.size() > sim::torus_axes_max)) {
      in.problem("axes",
                 "expected one to three numbers of GPUs, got " + std::to_string(axes.size()));
      return;
    }
    for (std::size_t i = 0; i < axes.size(); ++i) {
      read_.network.torus[i] = static_cast<int>(axes[i].integer(1, 65'536));
    }
  }

  void read_fabric(support::ObjectReader& in) {
    sim::Network& network = read_.network;
    network.fabric = static_cast<sim::FabricKind>(in.one_of("kind", fabric_kinds));
    read_.transport = in.string("transport");
    const double adapters = in.number("adapters", 0.001, 1e6);
    const double gbit_s = in.number("adapter_gbit_s", rate_min, rate_max);
    read_.adapters = adapters;
    network.inter_bandwidth = {adapters * gbit_s / bits_per_byte * giga /
                               static_cast<double>(read_.domain_gpus)};
    network.inter_efficiency = in.number("efficiency", 0.01, 4.0, 1.0);
    network.inter_delay = in.number("delay", 0.0, 100.0, 1.0);
    read_tiers(in);
    read_.fabric_costs = support::filled_string(in, "costs", "a name or a path");
    network.inter = costs(in, read_.fabric_costs, read_fabric_costs);
  }

  /// From the leaves up.
  void read_tiers(support::ObjectReader& in) {
    const std::vector<support::ValueReader> tiers = in.optional_array("tiers");
    if (tiers.size() > sim::tiers_max) {
      in.problem("tiers", "expected at most three tiers, got " + std::to_string(tiers.size()));
      return;
    }
    for (std::size_t i = 0; i < tiers.size(); ++i) {
      support::ObjectReader tier = tiers[i].object();
      sim::Tier& into = read_.network.tiers[i];
      into.gpus = tier.integer("gpus", 1, domain_gpus_max);
      into.oversubscription = tier.number("oversubscription", 0.001, 1e4, 1.0);
      into.latency = {tier.number("latency_us", 0.0, 1e6, 0.0) * micro};
      tier.finish();
    }
  }

  /// Whether a network can be joined like that.
  void check_shape(const Description& file) {
    if (!problems_.empty()) return;
    const sim::TopologyShape shape =
        sim::topology_shape(read_.network, read_.domain_gpus, read_.domain_gpus);
    const sim::ShapeProblem problem = sim::problem_of(shape);
    if (!problem) return;
    const std::string_view field = problem.field;
    const auto* const place = std::ranges::find(shape_places, field, &ShapePlace::field);
    problems_.push_back(
        {file.where() + std::string(place == shape_places.end() ? "/domain" : place->pointer),
         "expected " + std::string(problem.expected) + ", got " + std::to_string(problem.got)});
  }

  /// Costs of collectives that `costs` names.
  template <class Costs>
  Costs costs(support::ObjectReader& in, const std::string& name,
              Costs (*reader)(const Document&, std::vector<support::Problem>&)) {
    if (name.empty()) return {};  // said already
    return support::gathered(problems_, [&] {
      const auto found = found_costs(in, name);
      return found ? reader(*found, problems_) : Costs();
    });
  }

  /// Nothing, and a problem of the field that names it, where it cannot be read.
  std::optional<Document> found_costs(support::ObjectReader& in, const std::string& name) {
    try {
      return find_document(Kind::collectives, name, document_.directory, in.where("costs"));
    } catch (const support::InputError& error) {
      if (!is_path(name)) throw;
      for (const support::Problem& problem : error.problems()) {
        in.problem("costs", problem.text + " at " + problem.where);
      }
      return std::nullopt;
    }
  }

  const Document& document_;
  std::vector<support::Problem>& problems_;
  NetworkDescription read_;
};

}  // namespace

std::span<const std::string_view> domain_kind_names() { return domain_kinds; }
std::span<const std::string_view> fabric_kind_names() { return fabric_kinds; }
std::span<const std::string_view> placement_names() { return placements; }

NetworkDescription read_network_description(const Document& document,
                                            std::vector<support::Problem>& problems) {
  const auto json = support::parse_json(document.text, document.file);
  Description in(json, document.file, "cubicbench.network", versions, problems);
  NetworkDescription read =
      in.version() == 1 ? read_network_version_1(in) : NetworkFile(document, in, problems).take();
  read.name = in.name();
  return read;
}

sim::Network read_network(const Document& document, std::vector<support::Problem>& problems) {
  return read_network_description(document, problems).network;
}

}  // namespace cubicbench::scenarios
