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
  for (const Case& c :
       {Case{"EFA 3200Gb/s per node", 8, 400.0}, Case{"EFA 4x100Gb/s per node", 8, 50.0},
        Case{"InfiniBand NDR 8x400Gb/s per node (ConnectX-7)", 8, 400.0},
        Case{"RoCE 3.2 Tb/s per node", 8, 400.0}, Case{"8 x 200 Gbps", 8, 200.0},
        Case{"8*400 Gbit/s", 4, 800.0}, Case{"8x ConnectX-7 IB NDR 400Gb/Sec", 8, 400.0},
        Case{"InfiniBand CX7 400Gb/s + NVLink", 8, 400.0}, Case{"1600 Gb/s per VM", 8, 200.0},
        Case{"InfiniBand NDR", 8, std::nullopt}, Case{"NVLink 900 GB/s", 8, std::nullopt},
        Case{"NVLink5 900GB/s, 400Gb/s NDR", 8, 400.0}, Case{"0x400Gb/s", 8, std::nullopt},
        Case{"0 Gb/s per node", 8, std::nullopt}, Case{"8x", 8, std::nullopt},
        Case{"", 8, std::nullopt}}) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(adapter_gbps(c.text, c.gpus_per_node), c.gbps);
  }
}

}  // namespace
}  // namespace cubicbench::datasets
