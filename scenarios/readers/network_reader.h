#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/catalog.h"
#include "sim/hardware/network.h"
#include "support/input_error.h"

namespace cubicbench::scenarios {

/// A network and what its file says beside it.
struct NetworkDescription {
  std::string name;
  sim::Network network;
  std::int64_t domain_gpus = 8;  ///< GPUs of one fast domain: of a node, or of a rack
  double adapters = 0.0;         ///< of a domain; 0 in a file of version 1, which does not say
  std::string transport;         ///< between domains: "ib", "efa", ...; "" where it is not said
  std::string domain_costs, fabric_costs;  ///< names of the files; "" in a file of version 1
};

/// What the JSON files of networks/ say: schema `cubicbench.network/2`, or the two-level form of
/// version 1, whose latencies and shares then stand for a ring's. Costs of collectives are names of
/// scenarios/collectives, or paths relative to the file. Each table of numbers has a source, or
/// each number. Every problem is added to `problems`; the value returned is then not to be used.
/// Throws InputError only for a text that is no JSON document.
NetworkDescription read_network_description(const Document& document,
                                            std::vector<support::Problem>& problems);
/// The network alone.
sim::Network read_network(const Document& document, std::vector<support::Problem>& problems);

/// "switched", "direct", ..., in the order of sim::DomainKind.
std::span<const std::string_view> domain_kind_names();
/// "flat", "rail", ..., in the order of sim::FabricKind.
std::span<const std::string_view> fabric_kind_names();

/// "packed", "scattered", "partly_used", in the order of sim::Placement.
std::span<const std::string_view> placement_names();

}  // namespace cubicbench::scenarios
