#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace cubicbench::datasets {

/// What a text states of the adapters of a node.
struct StatedAdapters {
  std::optional<double> count;  ///< of a node
  double gbps = 0.0;            ///< of one adapter, or of all of a node; Gbit/s
  bool of_node = false;         ///< `gbps` is that of a node
  bool by_generation = false;   ///< only the name of a generation tells the rate
};

/// The GPUs of a machine, those of them that are used, and what its adapters are where a text does
/// not count them.
struct NodeUse {
  std::int64_t gpus = 1;
  std::int64_t used = 1;        ///< 1 <= used <= gpus
  double adapters_a_gpu = 1.0;  ///< of the usual build
};

/// The first rate of adapters in `text`; nothing where it has none. Only bits count ("900 GB/s" is
/// of NVLink), and no rate that follows NVLink. A rate alone is that of an adapter, unless words
/// ("per node", "aggregate") or its size, above 800 Gbit/s, say that it is of a node. "8x NDR
/// 400Gb/s" counts adapters; "4x HDR" has the rate of its generation.
std::optional<StatedAdapters> stated_adapters(std::string_view text);

/// Gbit/s of network that a used GPU has, as a text on the adapters of a node states them: "EFA
/// 3200Gb/s per node" and "8x400Gb/s" of eight GPUs are 400. A rate alone ("ConnectX-7 400Gb/s") is
/// that of one adapter a GPU; of a generation alone the usual build has the adapters. Where not all
/// GPUs are used, those that are have whole adapters.
std::optional<double> adapter_gbps(std::string_view text, const NodeUse& node);
/// The same where all GPUs are used. Requires gpus_per_node >= 1.
std::optional<double> adapter_gbps(std::string_view text, std::int64_t gpus_per_node);

/// Adapters that `node.used` GPUs of a machine with `adapters` reach: whole ones, one at least.
double adapters_of_used(double adapters, const NodeUse& node);

}  // namespace cubicbench::datasets
