#include "datasets/mapping/network_choice.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "datasets/mapping/library.h"
#include "datasets/mapping/measured_json.h"
#include "sim/base/numeric.h"
#include "sim/network/collective.h"
#include "support/prefixes.h"

namespace cubicbench::datasets {
namespace {

using support::ObjectReader;

PairNetwork read_pair(ObjectReader& in) {
  return {.device = non_empty(in, "device"),
          .fabric = non_empty(in, "fabric"),
          .network = non_empty(in, "network")};
}

DeviceNetwork read_device_network(ObjectReader& in) {
  return {.device = non_empty(in, "device"), .network = non_empty(in, "network")};
}

FabricNetwork read_fabric_network(ObjectReader& in) {
  return {.fabric = in.string("fabric"), .network = in.string("network", "")};
}

FastDomain read_fast_domain(ObjectReader& in) {
  return {.device = non_empty(in, "device"),
          .gpus = in.integer("gpus", 1, std::numeric_limits<int>::max())};
}

DirectBoard read_board(ObjectReader& in) {
  return {.device = non_empty(in, "device"), .gpus_per_node = in.integer("gpus_per_node", 2, 1024)};
}

ChipCores read_cores(ObjectReader& in) {
  return {.device = non_empty(in, "device"), .cores = in.integer("cores", 2, 64)};
}

std::optional<ChosenNetwork> of_library(const std::string& name) {
  const auto found = library().networks.find(name);
  if (found == library().networks.end()) return std::nullopt;
  return ChosenNetwork{.name = name, .network = found->second, .inside = name, .between = name};
}

/// One network inside a node, another between nodes.
ChosenNetwork joined(const ChosenNetwork& inside, const ChosenNetwork& between) {
  sim::Network network = inside.network;
  network.inter_bandwidth = between.network.inter_bandwidth;
  network.inter = between.network.inter;
  network.fabric = between.network.fabric;
  network.tiers = between.network.tiers;
  if (network == between.network) return between;
  return {.name = inside.name + " with " + between.name,
          .network = network,
          .inside = inside.name,
          .between = between.name};
}

/// Processors on a torus are like no other: a device that is not known is not taken for one.
bool is_torus(const std::string& network) {
  const auto found = library().networks.find(network);
  return found != library().networks.end() && found->second.domain == sim::DomainKind::torus;
}

double peak_of_16_bits(const sim::Device& device) {
  const auto peak = [&](sim::Dtype dtype) { return device.matmul_peak[sim::row_of(dtype)].value; };
  return std::max(peak(sim::Dtype::fp16), peak(sim::Dtype::bf16));
}

double distance_of(const sim::Device& a, const sim::Device& b) {
  const auto apart = [](double x, double y) { return std::abs(sim::log(x / y)); };
  return apart(peak_of_16_bits(a), peak_of_16_bits(b)) + apart(a.memory.value, b.memory.value) +
         apart(a.memory_bandwidth.value, b.memory_bandwidth.value);
}

using support::giga;
constexpr double free_gb_s = 260.0;      // all-gather of many H100 that do not wait for each other
constexpr double waits_from = 1e-4;      // s/GB a GPU: jobs in order have 3.3e-5, others 2.5e-4
constexpr double in_order_gb_s = 176.0;  // all-reduce of jobs in order, on 64 to 512 GPUs
constexpr int nodes_of_rings = 3;        // two nodes reduce inside first and exceed their adapters
constexpr double passes = 3.0;           // one forward, two backward
constexpr sim::Seconds layer_wait = {2.1e-3};
constexpr double layer_halves = 10.0;  // scatters and gathers of a tensor-parallel layer
constexpr double felt = 0.5;           // of a layer's wait a half, by those of weights

/// GB/s of an all-gather that is not waited for: no more than this network carries.
double free_rate(const sim::Cluster& cluster) {
  const sim::Group all{.ranks = cluster.gpus, .ranks_per_node = cluster.gpus_per_node};
  return std::min(free_gb_s, sim::bus_bandwidth(all, cluster.network).value / giga);
}

bool is_slow(double all_gather, const sim::Cluster& cluster) {
  return (1.0 / all_gather - 1.0 / free_rate(cluster)) / cluster.gpus > waits_from;
}

/// A node sends no more than the all-reduce of the whole job showed. Where ranks kept each other
/// waiting it shows their wait, and the rate is that of jobs in order.
void cap_rate(double all_reduce, sim::Cluster& cluster) {
  if (cluster.gpus < nodes_of_rings * cluster.gpus_per_node) return;
  sim::Network& network = cluster.network;
  const double nominal = cluster.gpus_per_node * network.inter_bandwidth.value / giga;
  const auto cap = [&](sim::FabricFamily& family) {
    family.share = std::min(family.share, all_reduce / nominal);
  };
  cap(network.inter.reduce);
  cap(network.inter.gather);
}

}  // namespace

NetworkChoices read_network_choices(std::string_view text, const std::string& file) {
  return read_measured_json(text, file, "cubicbench.measured_networks/1", [](ObjectReader& in) {
    return NetworkChoices{.pairs = read_rules(in.array("networks"), read_pair),
                          .devices = read_rules(in.array("devices"), read_device_network),
                          .fabrics = read_rules(in.array("fabrics"), read_fabric_network),
                          .domains = read_rules(in.array("domains"), read_fast_domain),
                          .boards = read_rules(in.array("boards"), read_board),
                          .cores = read_rules(in.optional_array("cores"), read_cores)};
  });
}

const NetworkChoices& network_choices() { return shipped<read_network_choices>("networks.json"); }

std::string network_device(const NetworkChoices& choices, const std::string& name,
                           const sim::Device& device) {
  std::string nearest = name;
  double distance_min = std::numeric_limits<double>::infinity();
  if (library().devices.contains(name)) return name;
  for (const DeviceNetwork& listed : choices.devices) {
    if (listed.device == name) return name;
    const auto other = library().devices.find(listed.device);
    if (other == library().devices.end() || is_torus(listed.network)) continue;
    const double distance = distance_of(device, other->second);
    if (distance >= distance_min) continue;
    distance_min = distance;
    nearest = listed.device;
  }
  return nearest;
}

std::optional<ChosenNetwork> choose_network(const NetworkChoices& choices, std::string_view device,
                                            std::string_view fabric) {
  const auto pair = std::ranges::find_if(choices.pairs, [&](const PairNetwork& entry) {
    return entry.device == device && entry.fabric == fabric;
  });
  if (pair != choices.pairs.end()) return of_library(pair->network);
  const auto own = std::ranges::find(choices.devices, device, &DeviceNetwork::device);
  if (own == choices.devices.end()) return std::nullopt;
  std::optional<ChosenNetwork> inside = of_library(own->network);
  const auto listed = std::ranges::find(choices.fabrics, fabric, &FabricNetwork::fabric);
  if (!inside || listed == choices.fabrics.end() || listed->network.empty()) return inside;
  const std::optional<ChosenNetwork> between = of_library(listed->network);
  if (!between) return std::nullopt;
  return joined(*inside, *between);
}

std::int64_t fast_domain(const NetworkChoices& choices, std::string_view device, std::int64_t gpus,
                         std::int64_t gpus_per_node) {
  const auto found = std::ranges::find(choices.domains, device, &FastDomain::device);
  if (found == choices.domains.end()) return gpus_per_node;
  std::int64_t largest = std::min(gpus, found->gpus);
  while (gpus % largest != 0) --largest;
  return std::max(largest, gpus_per_node);
}

std::int64_t domain_of_group(const NetworkChoices& choices, std::string_view device,
                             std::int64_t gpus, std::int64_t gpus_per_node) {
  const auto found = std::ranges::find(choices.domains, device, &FastDomain::device);
  if (found == choices.domains.end()) return gpus_per_node;
  const auto number = static_cast<std::uint64_t>(gpus);
  if (std::has_single_bit(number)) return fast_domain(choices, device, gpus, gpus_per_node);
  const std::int64_t domains = (gpus + found->gpus - 1) / found->gpus;
  return std::max((gpus + domains - 1) / domains, gpus_per_node);
}

int direct_peers(const NetworkChoices& choices, std::string_view device,
                 std::int64_t gpus_per_node) {
  const auto found = std::ranges::find_if(choices.boards, [&](const DirectBoard& board) {
    return board.device == device && board.gpus_per_node == gpus_per_node;
  });
  return found == choices.boards.end() ? 0 : static_cast<int>(gpus_per_node) - 1;
}

std::int64_t cores_of_chip(const NetworkChoices& choices, std::string_view device) {
  const auto found = std::ranges::find(choices.cores, device, &ChipCores::device);
  return found == choices.cores.end() ? 1 : found->cores;
}

std::string fabric_of(const NetworkChoices& choices, std::string_view device,
                      std::string_view network) {
  for (const FabricNetwork& entry : choices.fabrics) {
    const auto chosen = choose_network(choices, device, entry.fabric);
    if (chosen && chosen->name == network) return entry.fabric;
  }
  return {};
}

sim::NetworkState slow_network() {
  return {.launch_wait = (1.0 / passes) * layer_wait,
          .collective_wait = (felt / layer_halves) * layer_wait};
}

void apply_measured(const MeasuredFabric& fabric, sim::Cluster& cluster) {
  const bool slow = fabric.all_gather && is_slow(*fabric.all_gather, cluster);
  if (slow) cluster.state = slow_network();
  if (fabric.all_reduce) cap_rate(slow ? in_order_gb_s : *fabric.all_reduce, cluster);
}

}  // namespace cubicbench::datasets
