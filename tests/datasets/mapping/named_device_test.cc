// Rows whose device is named in other words than the library's.
#include <gtest/gtest.h>

#include <optional>
#include <string_view>

#include "tests/datasets/mapping/swept_rows.h"

namespace cubicbench::datasets {
namespace {

// Tables of others name devices as they like. What is stated is not assumed.
TEST(NamedDevice, IsFoundByWhatATextSays) {
  struct Case {
    const char* text;
    int gpus;
    const char* device;
    const char* network;
    int per_node;
  };
  for (const Case& c : {Case{"RTX 4090", 16, "rtx-4090", "pcie4-host-roce", 8},
                        {"NVIDIA GeForce RTX 3090", 8, "rtx-3090", "pcie4-host-roce", 8},
                        {"4xL40S", 4, "l40s", "pcie4-roce", 8},
                        {"A10G (g5.48xlarge)", 8, "a10g", "g5-efa", 8},
                        {"NVIDIA L4", 8, "l4", "pcie4-roce", 8},
                        {"RTX A6000", 8, "rtx-a6000", "pcie4-roce", 8},
                        {"H100 PCIe", 8, "h100-pcie-80gb", "pcie5-ib", 8},
                        {"H100 NVL", 8, "h100-nvl-94gb", "pcie5-ib", 8},
                        {"NVIDIA H20", 16, "h20-96gb", "nvlink4-ndr", 8},
                        {"GH200", 16, "gh200-96gb", "gh200-ndr", 1},
                        {"MI250X", 64, "mi250x-gcd", "mi250x-slingshot", 8},
                        {"trn2", 128, "trainium2-core", "trn2-efa", 64},
                        {"trn2.48xlarge", 64, "trainium2-core", "trn2-efa", 64},
                        {"TPU v5p", 64, "tpu-v5p", "tpu-v5p-512", 64},
                        {"NVIDIA H100 80GB HBM3", 16, "h100-sxm-80gb", "nvlink4-ndr", 8}}) {
    SCOPED_TRACE(c.text);
    Measurement row = swept_row("hfusp-0001");
    row.device = c.text;
    row.fabric = "";
    row.n_gpus = c.gpus;
    row.dp = c.gpus;
    row.tp = 1;
    row.gpus_per_node = std::nullopt;
    row.global_batch = std::nullopt;
    const MappedRun mapped = map_run(row);
    ASSERT_TRUE(mapped.run) << mapped.reason;
    const scenarios::Scenario& scenario = mapped.run->scenario;
    EXPECT_EQ(scenario.device, c.device);
    EXPECT_EQ(scenario.network, c.network);
    EXPECT_EQ(scenario.cluster.gpus_per_node, c.per_node);
    EXPECT_TRUE(assumes(*mapped.run, "device"));
    EXPECT_TRUE(assumes(*mapped.run, "gpus_per_node"));
    row.gpus_per_node = c.per_node;
    const MappedRun stated = map_run(row);
    ASSERT_TRUE(stated.run) << stated.reason;
    row.device = c.device;
    const MappedRun canonical = map_run(row);
    ASSERT_TRUE(canonical.run) << canonical.reason;
    EXPECT_EQ(stated.run->scenario.cluster, canonical.run->scenario.cluster);
    EXPECT_FALSE(assumes(*canonical.run, "device"));
  }
  Measurement row = swept_row("hfusp-0001");
  row.device = "A100-PCIE-40GB";  // a card of the library with less memory
  const MappedRun half = map_run(row);
  ASSERT_TRUE(half.run) << half.reason;
  EXPECT_EQ(half.run->scenario.device, "a100-pcie-80gb");
  EXPECT_LT(half.run->scenario.cluster.device.memory.value, 40.0 * 1024 * 1024 * 1024);
}

// Whoever trains on Trainium has Megatron's layers and defaults, which AWS publishes runs of.
TEST(NamedDevice, OfTrainiumMeansMegatronWhereNoSoftwareIsNamed) {
  for (const char* const device : {"trainium1-core", "trainium2-core", "trn1.32xlarge"}) {
    SCOPED_TRACE(device);
    Measurement named = swept_row("hfusp-0001");
    named.device = device;
    named.fabric = "efa";
    named.n_gpus = 64;
    named.dp = 8;
    named.tp = 8;
    named.gpus_per_node = std::string_view(device) == "trainium2-core" ? 64 : 32;
    named.global_batch = std::nullopt;
    named.stack = "";
    named.framework = "Megatron-Neuron";
    Measurement unnamed = named;
    unnamed.framework = "";
    const MappedRun a = map_run(named);
    const MappedRun b = map_run(unnamed);
    ASSERT_TRUE(a.run) << a.reason;
    ASSERT_TRUE(b.run) << b.reason;
    EXPECT_EQ(b.run->scenario.stack_name, "megatron");
    EXPECT_EQ(b.run->scenario.baseline, a.run->scenario.baseline);
    EXPECT_TRUE(assumes(*b.run, "stack=megatron"));
  }
}

}  // namespace
}  // namespace cubicbench::datasets
