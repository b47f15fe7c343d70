#include "datasets/mapping/adapter_rate.h"

#include <gtest/gtest.h>

namespace cubicbench::datasets {
namespace {

TEST(AdapterRate, IsWhatAGpuHas) {
  struct Case {
    const char* text;
    std::int64_t gpus_per_node;
    std::optional<double> gbps;
  };
  for (const Case& c : {Case{"EFA 3200Gb/s per node", 8, 400.0},
                        Case{"EFA 4x100Gb/s per node", 8, 50.0},
                        Case{"InfiniBand NDR 8x400Gb/s per node (ConnectX-7)", 8, 400.0},
                        Case{"RoCE 3.2 Tb/s per node", 8, 400.0},
                        Case{"8 x 200 Gbps", 8, 200.0},
                        Case{"8*400 Gbit/s", 4, 800.0},
                        Case{"8x ConnectX-7 IB NDR 400Gb/Sec", 8, 400.0},
                        Case{"InfiniBand CX7 400Gb/s + NVLink", 8, 400.0},
                        Case{"1600 Gb/s per VM", 8, 200.0},
                        Case{"8x400G", 8, 400.0},
                        Case{"1x400Gb/s per GPU", 8, 400.0},
                        Case{"2x HDR per GPU", 8, 400.0},
                        Case{"1x NDR 400Gb/s per GPU", 4, 400.0},
                        Case{"400G", 8, 400.0},
                        Case{"4x NDR 400Gb/s", 8, 200.0},
                        Case{"8x NDR 400Gb/s", 8, 400.0},
                        Case{"8x400GbE", 8, 400.0},
                        Case{"3,200 Gb/s", 8, 400.0},
                        Case{"3200Gb/s", 8, 400.0},
                        Case{"1600 Gbps RDMA", 8, 200.0},
                        Case{"400 Gb/s per server", 4, 100.0},
                        Case{"400 Gb/s per machine", 4, 100.0},
                        Case{"aggregate 400 Gb/s", 4, 100.0},
                        Case{"400 Gb/s total", 4, 100.0},
                        Case{"1600 Gb/s per GPU", 8, 1600.0},
                        Case{"400Gb/s per GPU, 3.2 Tb/s per node", 8, 400.0},
                        Case{"NVLink4 7200 Gb/s, InfiniBand 400 Gb/s", 8, 400.0},
                        Case{"NVLink 7.2 Tb/s", 8, std::nullopt},
                        Case{"NVLink and InfiniBand 200Gb/s", 8, 200.0},
                        Case{"InfiniBand EDR", 8, 100.0},
                        Case{"InfiniBand HDR", 8, 200.0},
                        Case{"HDR100", 8, 100.0},
                        Case{"InfiniBand NDR", 8, 400.0},
                        Case{"NDR200", 8, 200.0},
                        Case{"XDR", 8, 800.0},
                        Case{"4x HDR", 4, 200.0},
                        Case{"4xHDR", 8, 100.0},
                        Case{"4x InfiniBand HDR100", 8, 50.0},
                        Case{"EFA on 2x p5.48xlarge", 8, std::nullopt},
                        Case{"NVLink 900 GB/s", 8, std::nullopt},
                        Case{"NVLink5 900GB/s, 400Gb/s NDR", 8, 400.0},
                        Case{"0x400Gb/s", 8, std::nullopt},
                        Case{"0 Gb/s per node", 8, std::nullopt},
                        Case{"8x", 8, std::nullopt},
                        Case{"", 8, std::nullopt}}) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(adapter_gbps(c.text, c.gpus_per_node), c.gbps);
  }
}

TEST(AdapterRate, GpusOfAPartlyUsedNodeHaveWholeAdapters) {
  // Of eight GPUs one has one of eight adapters, of four adapters too; five have three of four.
  EXPECT_EQ(adapter_gbps("8x400Gb/s", {.gpus = 8, .used = 1}), 400.0);
  EXPECT_EQ(adapter_gbps("4x100Gb/s", {.gpus = 8, .used = 1}), 100.0);
  EXPECT_EQ(adapter_gbps("4x100Gb/s", {.gpus = 8, .used = 5}), 60.0);
  EXPECT_EQ(adapter_gbps("3200Gb/s per node", {.gpus = 8, .used = 2}), 400.0);
  EXPECT_EQ(adapter_gbps("400Gb/s per node", {.gpus = 8, .used = 1, .adapters_a_gpu = 0.5}), 100.0);
  // A generation tells no count: the usual build has half an adapter a GPU.
  EXPECT_EQ(adapter_gbps("EDR", {.gpus = 8, .used = 8, .adapters_a_gpu = 0.5}), 50.0);
}

}  // namespace
}  // namespace cubicbench::datasets
