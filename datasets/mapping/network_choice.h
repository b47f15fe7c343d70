#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/tables/measurement.h"
#include "sim/hardware/cluster.h"

namespace cubicbench::datasets {

/// The network of the library that stands for one fabric of one device.
struct PairNetwork {
  std::string device, fabric, network;
};

/// The network of a device's usual clusters.
struct DeviceNetwork {
  std::string device, network;
};

/// A fabric between nodes; `network` is "" where the device's own network has it.
struct FabricNetwork {
  std::string fabric, network;
};

/// A fast domain that is larger than a node.
struct FastDomain {
  std::string device;
  std::int64_t gpus = 0;
};

/// A node whose GPUs are linked to each other and not to a switch.
struct DirectBoard {
  std::string device;
  std::int64_t gpus_per_node = 0;
};

/// A chip with several cores, each of which the program that trains calls a device.
struct ChipCores {
  std::string device;
  std::int64_t cores = 1;
};

/// Which network stands for what a row says of its fabric (datasets/measured/networks.json).
struct NetworkChoices {
  std::vector<PairNetwork> pairs;
  std::vector<DeviceNetwork> devices;
  std::vector<FabricNetwork> fabrics;
  std::vector<FastDomain> domains;
  std::vector<DirectBoard> boards;
  std::vector<ChipCores> cores;
};

/// A network and how it is called.
struct ChosenNetwork {
  std::string name;
  sim::Network network;
  std::string inside, between;  ///< networks of the library that its parts are of
};

/// Reads the JSON file, schema `cubicbench.measured_networks/1`. Every entry needs a reason. Throws
/// InputError with every problem.
NetworkChoices read_network_choices(std::string_view text, const std::string& file);

/// Those that ship, read once. Threads may call it at the same time.
const NetworkChoices& network_choices();

/// Whose networks a device has: its own where it is listed or ships, else those of the listed
/// device that is most like it, by the sum of the logarithms of the ratios of peak in 16 bits,
/// memory and its bandwidth: processors of one generation come with links of one generation.
std::string network_device(const NetworkChoices& choices, const std::string& name,
                           const sim::Device& device);

/// The network of a pair, if it is listed; else the device's own network, with the part between
/// nodes taken from the fabric's network where that has one. A fabric that is not listed is taken
/// as one that is not stated. Nothing for a device that is not listed or a network that the library
/// lacks.
std::optional<ChosenNetwork> choose_network(const NetworkChoices& choices, std::string_view device,
                                            std::string_view fabric);

/// GPUs of a fast domain of a job: `gpus_per_node`, or, for devices with a larger domain, the
/// largest divisor of the job's GPUs that fits in it.
std::int64_t fast_domain(const NetworkChoices& choices, std::string_view device, std::int64_t gpus,
                         std::int64_t gpus_per_node);

/// GPUs of a fast domain of a group that lies on as few domains as hold it, alike on each: as
/// above, but for groups that need not divide into domains. 64 of powers of two.
std::int64_t domain_of_group(const NetworkChoices& choices, std::string_view device,
                             std::int64_t gpus, std::int64_t gpus_per_node);

/// Network::direct_peers of a node of `gpus_per_node` such GPUs: 0 unless it is listed as a board
/// without a switch.
int direct_peers(const NetworkChoices& choices, std::string_view device,
                 std::int64_t gpus_per_node);

/// Devices that a program sees on a chip: 1 unless it is listed.
std::int64_t cores_of_chip(const NetworkChoices& choices, std::string_view device);

/// The first fabric of the file for which the library's network `network` is chosen; "" when none.
std::string fabric_of(const NetworkChoices& choices, std::string_view device,
                      std::string_view network);

/// A network whose ranks keep each other waiting, as some jobs of one cluster find it and others do
/// not. Read off the runs of huggingface.co/spaces/nanotron/ultrascale-playbook in such a state:
/// what a layer takes at least, forward and backward, grows by 2.1 ms a rank of its
/// tensor-parallel group, whatever the micro-batch; of the tenth of it that is one scatter or
/// gather, those of weights feel half.
sim::NetworkState slow_network();

/// Gives `cluster`, of more than one node, the network that a job measured before training
/// [docs/models.md, Eq. N-1 and N-2]: its state, by the all-gather of all ranks, and what a node
/// sends, by their all-reduce. Unchanged where it measured none.
void apply_measured(const MeasuredFabric& fabric, sim::Cluster& cluster);

}  // namespace cubicbench::datasets
