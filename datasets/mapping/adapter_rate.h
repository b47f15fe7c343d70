#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cubicbench::datasets {

/// Gbit/s of network that a GPU has, as a text on the adapters of a node states them: "EFA 3200Gb/s
/// per node" and "8x400Gb/s" of eight GPUs are 400, "3.2 Tb/s per node" too. A rate alone
/// ("ConnectX-7 400Gb/s") is that of one adapter a GPU. Only bits count: "900 GB/s" is of NVLink.
/// The first rate of the text counts; nothing where it has none. Requires gpus_per_node >= 1.
std::optional<double> adapter_gbps(std::string_view text, std::int64_t gpus_per_node);

}  // namespace cubicbench::datasets
