#include "datasets/mapping/measured_systems.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "datasets/mapping/network_choice.h"
#include "scenarios/input_error.h"

namespace cubicbench::datasets {
namespace {

TEST(MeasuredSystems, EveryRuleLeadsToANetwork) {
  for (const GpuRule& rule : measured_systems().gpus) {
    if (rule.device.empty()) continue;
    EXPECT_TRUE(choose_network(network_choices(), rule.device, "")) << rule.contains;
  }
  for (const FabricRule& rule : measured_systems().fabrics) {
    EXPECT_TRUE(std::ranges::any_of(network_choices().fabrics, [&](const FabricNetwork& known) {
      return known.fabric == rule.fabric;
    })) << rule.fabric;
  }
}

TEST(MeasuredSystems, NoRuleHidesALaterOne) {
  const auto distinct = [](const auto& rules) {
    std::set<std::string> texts;
    for (const auto& rule : rules) EXPECT_TRUE(texts.insert(rule.contains).second) << rule.contains;
  };
  distinct(measured_systems().gpus);
  distinct(measured_systems().fabrics);
  for (const GpuRule& rule : measured_systems().gpus) {
    EXPECT_EQ(find_gpu(rule.contains), &rule) << rule.contains;
  }
  for (const FabricRule& rule : measured_systems().fabrics) {
    EXPECT_EQ(find_fabric(rule.contains), &rule) << rule.contains;
  }
  for (const OperationRule& rule : measured_systems().operations) {
    EXPECT_EQ(find_operation(rule.begins), &rule) << rule.begins;
  }
}

TEST(MeasuredSystems, VersionsAreComparedByTheirNumbers) {
  EXPECT_TRUE(is_before("2.9.9+cuda11.2", "2.10"));
  EXPECT_TRUE(is_before("2.9", "2.9.1"));
  EXPECT_FALSE(is_before("2.10", "2.10"));
  EXPECT_FALSE(is_before("2.18.5", "2.17"));
  EXPECT_FALSE(is_before("", "2.10"));
  EXPECT_FALSE(is_before("unknown", "2.10"));
}

TEST(MeasuredSystems, PublishedNamesAreRead) {
  const auto device = [](std::string_view text) {
    const GpuRule* const rule = find_gpu(text);
    return rule == nullptr ? std::string("none") : rule->device;
  };
  EXPECT_EQ(device("NVIDIA H100-SXM5-80GB"), "h100-sxm-80gb");
  EXPECT_EQ(device("NVIDIA GB200"), "gb200");
  EXPECT_EQ(device("B300/GB300 class (sm_103)"), "gb300");
  EXPECT_EQ(device("H100-class (sm_90)"), "h100-sxm-80gb");
  EXPECT_EQ(device("AMD Instinct mi300x"), "mi300x");
  EXPECT_EQ(device("AWS 2x p5en.48xlarge"), "h200-sxm-141gb");
  EXPECT_EQ(device("A100-PCIe-80GB"), "");
  EXPECT_EQ(device("L40S"), "none");
  EXPECT_EQ(find_gpu("TPU v6e")->device, "tpu-v6e");
  EXPECT_EQ(find_gpu("TPU v2")->needs, "tpu");
  EXPECT_EQ(find_fabric("GPUDirect-TCPXO 8x200Gb/s per node")->fabric, "tcpxo");
  EXPECT_EQ(find_fabric("GPUDirect-TCPX 4x200Gb/s per node")->fabric, "tcpx");
  EXPECT_EQ(find_fabric("TCP over IPoIB")->fabric, "ipoib");
  EXPECT_EQ(find_fabric("sockets over Ethernet (no RDMA)")->fabric, "ethernet");
  EXPECT_EQ(find_fabric("RDMA over Converged Ethernet")->fabric, "roce");
  EXPECT_EQ(find_fabric("8x ConnectX-7 400Gb/s")->fabric, "ib");
  EXPECT_EQ(find_fabric("RoCE, 8x ConnectX-7")->fabric, "roce");
  EXPECT_EQ(find_fabric("8x400G Pollara")->fabric, "roce");
  EXPECT_EQ(find_fabric("carrier pigeons"), nullptr);
  EXPECT_EQ(find_operation("reduce_scatter_base")->operation, CollectiveOperation::all_gather);
  EXPECT_EQ(find_operation("Reduce")->operation, CollectiveOperation::broadcast);
  EXPECT_TRUE(find_operation("moe_combine")->excluded);
  EXPECT_EQ(find_operation("scan"), nullptr);
}

TEST(MeasuredSystems, EveryProblemOfAFileIsReported) {
  try {
    read_measured_systems(R"({
      "schema": "cubicbench.measured_systems/1",
      "gpus": [{"contains": "X", "device": "x", "gpus_per_node": 0, "why": "w"}],
      "fabrics": [{"contains": "", "fabric": "ib", "takes_rate": 1, "why": "w"}],
      "counts": [{"contains": "s", "n_nodes": 1, "n_gpus": 8}],
      "operations": [{"begins": "o", "operation": "gossip", "why": "w"}]
    })",
                          "s.json");
    FAIL() << "expected bad input";
  } catch (const scenarios::InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              "s.json#/gpus/0/gpus_per_node: expected an integer in [1, 1048576], got 0\n"
              "s.json#/fabrics/0/contains: expected a text, got \"\"\n"
              "s.json#/fabrics/0/takes_rate: expected true or false, got 1\n"
              "s.json#/counts/0/why: expected a string, got nothing\n"
              "s.json#/operations/0/operation: expected one of all_gather, all_reduce, all_to_all, "
              "point_to_point, broadcast, got \"gossip\"");
  }
}

}  // namespace
}  // namespace cubicbench::datasets
