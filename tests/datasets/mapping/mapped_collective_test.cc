#include "datasets/mapping/mapped_collective.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "datasets/mapping/library.h"

namespace cubicbench::datasets {
namespace {

constexpr double size = 1e9;

CollectiveMeasurement two_h100_nodes() {
  CollectiveMeasurement row;
  row.system = "some cloud";
  row.gpu = "H100-SXM5-80GB";
  row.n_nodes = 2;
  row.n_gpus = 16;
  row.interconnect = "InfiniBand NDR 8x400Gb/s per node";
  row.collective = "all_gather";
  row.size_bytes = size;
  row.time_us = 1000.0;
  return row;
}

double simulated(const CollectiveMeasurement& row) {
  const MappedCollective mapped = simulate_collective(row);
  EXPECT_EQ(mapped.reason, "");
  return mapped.simulated ? mapped.simulated->value : 0.0;
}

// The library's numbers, so that what is derived here is the mapping and not the library.
struct Rates {
  explicit Rates(const std::string& name) : network(library().networks.at(name)) {}

  const sim::Network& network;
  double inside = network.intra_bandwidth.value * network.intra_efficiency;
  double adapter = network.inter_bandwidth.value * network.inter_efficiency;
  double in_step = network.intra_latency.value;
  double out_step = network.inter_latency.value;
  double launch = network.collective_overhead.value;
};

TEST(MappedCollective, TwoNodesAreTwoGroupsOfEight) {
  const Rates n("nvlink4-ndr");
  const CollectiveMeasurement row = two_h100_nodes();
  // Seven steps inside, one between; eight adapters of 40 GB/s carry less than NVLink's 357.
  const double rate = std::min(n.inside, 8.0 * n.adapter);
  EXPECT_NEAR(simulated(row), n.launch + 7.0 * n.in_step + n.out_step + 15.0 / 16.0 * size / rate,
              1e-12);
  EXPECT_EQ(simulate_collective(row).assumed, (std::vector<std::string>{"interconnect"}));
}

TEST(MappedCollective, EveryOperationHasItsFormula) {
  const Rates n("nvlink4-ndr");
  CollectiveMeasurement row = two_h100_nodes();
  row.n_nodes = 1;
  row.n_gpus = 8;
  const double in_node = n.launch + 7.0 * n.in_step;
  struct Case {
    const char* collective;
    double expected_s;
  };
  for (const Case& c :
       {Case{"all_gather", in_node + 7.0 / 8.0 * size / n.inside},
        Case{"reduce_scatter", in_node + 7.0 / 8.0 * size / n.inside},
        Case{"all_reduce", in_node + 7.0 * n.in_step + 2.0 * 7.0 / 8.0 * size / n.inside},
        Case{"alltoall", n.launch + 7.0 / 8.0 * size / n.inside},
        Case{"broadcast", in_node + size / n.inside}, Case{"reduce", in_node + size / n.inside},
        Case{"sendrecv", n.launch + n.in_step + size / n.inside},
        Case{"collective_permute", n.launch + n.in_step + size / n.inside}}) {
    SCOPED_TRACE(c.collective);
    row.collective = c.collective;
    EXPECT_NEAR(simulated(row), c.expected_s, 1e-12);
  }
}

TEST(MappedCollective, AStatedRateGoesBeforeTheLibrarys) {
  const Rates n("nvlink4-ndr");
  CollectiveMeasurement row = two_h100_nodes();
  row.collective = "sendrecv";
  row.interconnect = "InfiniBand, 4x200Gb/s per node";  // 100 Gbit/s a GPU
  EXPECT_NEAR(simulated(row), n.launch + n.out_step + size / (12.5e9 * n.network.inter_efficiency),
              1e-12);
  row.interconnect = "InfiniBand";
  EXPECT_NEAR(simulated(row), n.launch + n.out_step + size / n.adapter, 1e-12);
}

TEST(MappedCollective, ARackIsOneDomain) {
  const Rates n("nvl72-ndr");
  CollectiveMeasurement row = two_h100_nodes();
  row.gpu = "GB200";
  row.n_nodes = 18;
  row.n_gpus = 72;
  row.interconnect = "NVLink5 NVL72 in rack; InfiniBand between racks";
  EXPECT_NEAR(simulated(row), n.launch + 71.0 * n.in_step + 71.0 / 72.0 * size / n.inside, 1e-12);
  EXPECT_TRUE(simulate_collective(row).assumed.empty());
  row.n_nodes = 36;
  row.n_gpus = 144;  // two racks, of which 72 adapters carry more than NVLink
  EXPECT_NEAR(simulated(row),
              n.launch + 71.0 * n.in_step + n.out_step + 143.0 / 144.0 * size / n.inside, 1e-12);
}

TEST(MappedCollective, GroupsAtOnceDoNotShare) {
  CollectiveMeasurement row = two_h100_nodes();
  row.n_nodes = 1;
  row.n_gpus = 2;
  const double alone = simulated(row);
  row.concurrent_groups = 4;
  row.active_gpus = 8;
  EXPECT_EQ(simulated(row), alone);
  // Four groups of four on two nodes: each inside one of them.
  row.n_nodes = 2;
  row.n_gpus = 4;
  row.active_gpus = 16;
  const double apart = simulated(row);
  row.n_nodes = 1;
  row.concurrent_groups = std::nullopt;
  row.active_gpus = std::nullopt;
  EXPECT_EQ(apart, simulated(row));
}

TEST(MappedCollective, WhatIsNotStatedIsFilledAndNamed) {
  CollectiveMeasurement row = two_h100_nodes();
  const double stated = simulated(row);
  row.gpu = "";
  row.system = "AWS 2x p5.48xlarge";
  row.n_nodes = std::nullopt;
  row.interconnect = "InfiniBand NDR";
  EXPECT_EQ(simulated(row), stated);
  EXPECT_EQ(simulate_collective(row).assumed,
            (std::vector<std::string>{"gpu", "n_nodes", "interconnect"}));
  row = two_h100_nodes();
  row.system = "AWS p5.48xlarge (Batch)";
  row.n_nodes = row.n_gpus = std::nullopt;
  const double of_node = simulated(row);
  row.n_nodes = 1;
  row.n_gpus = 8;
  EXPECT_EQ(simulated(row), of_node);
}

TEST(MappedCollective, WhatNoSimulationIsAskedFor) {
  CollectiveMeasurement row = two_h100_nodes();
  EXPECT_TRUE(is_wanted(row));
  row.collective = "scan";  // wanted, and skipped: nobody simulates it yet
  EXPECT_TRUE(is_wanted(row));
  row.collective = "moe_combine";
  EXPECT_FALSE(is_wanted(row));
  row = two_h100_nodes();
  row.gpu = "L40S";  // named, if unknown
  EXPECT_TRUE(is_wanted(row));
  row.gpu = "";
  EXPECT_FALSE(is_wanted(row));
  row.system = "AWS 2x p5.48xlarge";  // whose GPU is known
  EXPECT_TRUE(is_wanted(row));
}

TEST(MappedCollective, SaysWhyThereIsNoAnswer) {
  struct Case {
    std::function<void(CollectiveMeasurement&)> change;
    const char* reason;
  };
  using Row = CollectiveMeasurement;
  for (const Case& c : std::vector<Case>{
           {[](Row& row) { row.collective = "scan"; },
            "no operation of the simulator stands for \"scan\""},
           {[](Row& row) { row.collective = "moe_dispatch"; }, "no collective: \"moe_dispatch\""},
           {[](Row& row) { row.gpu = "TPU v7x"; }, "needs tpu"},
           {[](Row& row) { row.gpu = ""; }, "gpu is empty and the system does not tell it"},
           {[](Row& row) { row.gpu = "L40S"; }, "no network of the library stands for \"L40S\""},
           {[](Row& row) {
              row.gpu = "X9";
              row.system = "DGX H100";
            },
            "no network of the library stands for \"X9\""},
           {[](Row& row) { row.gpu = "H100-PCIe"; },
            "no network of the library stands for \"H100-PCIe\""},
           {[](Row& row) { row.interconnect = "carrier pigeons"; },
            "no network of the library stands for \"carrier pigeons\""},
           {[](Row& row) { row.size_bytes = std::nullopt; }, "size_bytes is empty"},
           {[](Row& row) { row.time_us = std::nullopt; },
            "none of time_us, algbw_gbps and busbw_gbps is stated above 0"},
           {[](Row& row) { row.size_bytes = 0.0; }, "size_bytes is 0"},
           {[](Row& row) { row.time_us = 0.0; }, "time_us is 0"},
           {[](Row& row) { row.n_gpus = std::nullopt; }, "n_gpus is empty"},
           {[](Row& row) { row.n_gpus = std::int64_t{1} << 62; }, "more GPUs than any machine has"},
           {[](Row& row) { row.n_gpus = 1; }, "one GPU exchanges nothing"}}) {
    SCOPED_TRACE(c.reason);
    CollectiveMeasurement row = two_h100_nodes();
    c.change(row);
    const MappedCollective mapped = simulate_collective(row);
    EXPECT_FALSE(mapped.simulated.has_value());
    EXPECT_EQ(mapped.reason, c.reason);
  }
}

}  // namespace
}  // namespace cubicbench::datasets
