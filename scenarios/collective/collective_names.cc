#include "scenarios/collective/collective_names.h"

#include <array>
#include <cstddef>

namespace cubicbench::scenarios {
namespace {

constexpr std::array<std::string_view, sim::collective_count> collectives{
    "all_gather", "reduce_scatter", "all_reduce", "alltoall", "broadcast", "sendrecv"};
constexpr std::array<std::string_view, sim::algorithm_count> algorithms{
    "ring",         "tree",  "nvls", "nvls_tree", "in_network", "pat", "recursive_doubling",
    "hierarchical", "direct"};
constexpr std::array<std::string_view, sim::protocol_count> protocols{"LL", "LL128", "Simple"};
constexpr std::array<std::string_view, sim::bottleneck_count> bottlenecks{
    "latency", "domain", "adapters", "upper_tiers"};

template <class Names, class Enum>
std::string_view at(const Names& names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

}  // namespace

std::span<const std::string_view> collective_names() { return collectives; }
std::span<const std::string_view> algorithm_names() { return algorithms; }

std::string_view name_of(sim::Collective op) { return at(collectives, op); }
std::string_view name_of(sim::Algorithm algorithm) { return at(algorithms, algorithm); }
std::string_view name_of(sim::Protocol protocol) { return at(protocols, protocol); }
std::string_view name_of(sim::Bottleneck bottleneck) { return at(bottlenecks, bottleneck); }

}  // namespace cubicbench::scenarios
