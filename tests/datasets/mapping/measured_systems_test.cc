#include "datasets/mapping/measured_systems.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "datasets/mapping/network_choice.h"
#include "support/input_error.h"

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
  std::set<std::string> texts;
  for (const GpuRule& rule : measured_systems().gpus) {
    const std::string text = rule.contains + (rule.with.empty() ? "" : " " + rule.with);
    EXPECT_TRUE(texts.insert(text).second) << text;
    EXPECT_EQ(find_gpu(text), &rule) << text;
  }
  for (const FabricRule& rule : measured_systems().fabrics) {
    if (rule.gbps_min > 0.0) continue;
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
  EXPECT_TRUE(is_before("NCCL 2.9.9", "2.10"));
  EXPECT_TRUE(is_before("v2.9.9", "2.10"));
  EXPECT_TRUE(is_before("nccl-v2.9.9", "2.10"));
  EXPECT_FALSE(is_before("NCCL 2.18.3", "2.10"));
  EXPECT_FALSE(is_before("NCCL", "2.10"));
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
  EXPECT_EQ(device("8x MI325X"), "mi325x");
  EXPECT_EQ(device("AWS 2x p5en.48xlarge"), "h200-sxm-141gb");
  for (const auto& [text, expected] : {std::pair{"A100-PCIe-80GB", "a100-pcie-80gb"},
                                       {"NVIDIA A100 80GB PCIe", "a100-pcie-80gb"},
                                       {"A100-PCIE-40GB", "a100-pcie-80gb"},
                                       {"H100 PCIe", "h100-pcie-80gb"},
                                       {"NVIDIA H100-PCIe-80GB", "h100-pcie-80gb"},
                                       {"H100 NVL", "h100-nvl-94gb"},
                                       {"8xH100 (NVLink)", "h100-sxm-80gb"},
                                       {"H800 PCIe", ""},
                                       {"NVIDIA L40S", "l40s"},
                                       {"4xL40S", "l40s"},
                                       {"NVIDIA L4", "l4"},
                                       {"8xL4", "l4"},
                                       {"L40", "none"},
                                       {"Tesla T4", "t4"},
                                       {"A10G (g5.48xlarge)", "a10g"},
                                       {"g5.12xlarge", "a10g"},
                                       {"g6e.48xlarge", "l40s"},
                                       {"RTX 4090", "rtx-4090"},
                                       {"NVIDIA GeForce RTX4090", "rtx-4090"},
                                       {"rtx-3090-24gb", "rtx-3090"},
                                       {"NVIDIA RTX A6000", "rtx-a6000"},
                                       {"H20", "h20-96gb"},
                                       {"8xH20-96GB", "h20-96gb"},
                                       {"H200-141GB", "h200-sxm-141gb"},
                                       {"GH200", "gh200-96gb"},
                                       {"GH200-144GB", "h200-sxm-141gb"},
                                       {"AMD MI250X (LUMI)", "mi250x-gcd"},
                                       {"trn2", "trainium2-core"},
                                       {"AWS Trainium2", "trainium2-core"},
                                       {"trn1.32xlarge", "trainium1-core"},
                                       {"A40", "none"}}) {
    EXPECT_EQ(device(text), expected) << text;
  }
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
  EXPECT_EQ(find_fabric("library of cards"), nullptr);  // IB only as a word
  for (const auto& [text, fabric] : {std::pair{"8x400Gb/s Ethernet", "roce"},
                                     {"400GbE", "roce"},
                                     {"3.2 Tb/s Ethernet per node", "roce"},
                                     {"100GbE", "ethernet"},
                                     {"8x100Gb/s Ethernet", "ethernet"},
                                     {"RDMA, 200Gb/s", "roce"},
                                     {"GPUDirect RDMA over TCP", "roce"},
                                     {"RDMA 25GbE Ethernet", "roce"},
                                     {"TCP over 400GbE", "tcp"},
                                     {"8x400Gb/s IB", "ib"},
                                     {"4x EDR", "ib"},
                                     {"Quantum-2", "ib"},
                                     {"OPA 100", "opa"},
                                     {"AINIC", "roce"},
                                     {"Pensando", "roce"},
                                     {"eRDMA", "roce"},
                                     {"gVNIC", "tcp"},
                                     {"OCI", "roce"},
                                     {"Azure ND", "ib"},
                                     {"Mellanox", "ib"},
                                     {"8x CX-6", "ib"},
                                     {"ConnectX-7 400GbE", "roce"},
                                     {"400G ConnectX-7", "ib"}}) {
    ASSERT_NE(find_fabric(text), nullptr) << text;
    EXPECT_EQ(find_fabric(text)->fabric, fabric) << text;
  }
  EXPECT_EQ(find_operation("reduce_scatter_base")->operation, sim::Collective::all_gather);
  EXPECT_EQ(find_operation("Reduce")->operation, sim::Collective::broadcast);
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
  } catch (const support::InputError& error) {
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
