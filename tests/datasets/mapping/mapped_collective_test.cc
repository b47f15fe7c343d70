#include "datasets/mapping/mapped_collective.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "datasets/mapping/library.h"
#include "sim/network/collective.h"

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

// What the simulator says of a group on a network of the library: derived here is the mapping.
double expected(sim::Collective op, const sim::Group& group, const std::string& name) {
  return sim::collective_cost(op, sim::Bytes{size}, group, library().networks.at(name)).time.value;
}

TEST(MappedCollective, TwoNodesAreTwoGroupsOfEight) {
  const CollectiveMeasurement row = two_h100_nodes();
  EXPECT_EQ(simulated(row), expected(sim::Collective::all_gather, {16, 8}, "nvlink4-ndr"));
  EXPECT_EQ(simulate_collective(row).assumed, (std::vector<std::string>{"interconnect"}));
}

TEST(MappedCollective, EveryOperationHasItsCollective) {
  CollectiveMeasurement row = two_h100_nodes();
  row.n_nodes = 1;
  row.n_gpus = 8;
  struct Case {
    const char* collective;
    sim::Collective expected;
  };
  for (const Case& c :
       {Case{"all_gather", sim::Collective::all_gather},
        Case{"reduce_scatter", sim::Collective::reduce_scatter},
        Case{"all_reduce", sim::Collective::all_reduce},
        Case{"alltoall", sim::Collective::all_to_all},
        Case{"broadcast", sim::Collective::broadcast}, Case{"reduce", sim::Collective::broadcast},
        Case{"sendrecv", sim::Collective::send_receive},
        Case{"collective_permute", sim::Collective::send_receive}}) {
    SCOPED_TRACE(c.collective);
    row.collective = c.collective;
    EXPECT_EQ(simulated(row), expected(c.expected, {8, 8}, "nvlink4-ndr"));
  }
}

TEST(MappedCollective, AStatedRateGoesBeforeTheLibrarys) {
  CollectiveMeasurement row = two_h100_nodes();
  row.collective = "sendrecv";
  row.interconnect = "InfiniBand, 4x200Gb/s per node";  // 100 Gbit/s a GPU
  sim::Network quarter = library().networks.at("nvlink4-ndr");
  quarter.inter_bandwidth = sim::BytesPerSecond{12.5e9};
  EXPECT_EQ(simulated(row),
            sim::collective_cost(sim::Collective::send_receive, sim::Bytes{size}, {16, 8}, quarter)
                .time.value);
  row.interconnect = "InfiniBand";
  EXPECT_EQ(simulated(row), expected(sim::Collective::send_receive, {16, 8}, "nvlink4-ndr"));
}

TEST(MappedCollective, ARackIsOneDomain) {
  CollectiveMeasurement row = two_h100_nodes();
  row.gpu = "GB200";
  row.n_nodes = 18;
  row.n_gpus = 72;
  row.interconnect = "NVLink5 NVL72 in rack; InfiniBand between racks";
  EXPECT_EQ(simulated(row), expected(sim::Collective::all_gather, {72, 72}, "nvl72-ndr"));
  EXPECT_TRUE(simulate_collective(row).assumed.empty());
  row.n_nodes = 36;
  row.n_gpus = 144;
  EXPECT_EQ(simulated(row), expected(sim::Collective::all_gather, {144, 72}, "nvl72-ndr"));
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

TEST(MappedCollective, AnOldLibraryLacksTreesAndReductionInTheSwitch) {
  CollectiveMeasurement row = two_h100_nodes();
  row.collective = "all_reduce";
  sim::Network network = library().networks.at("nvlink4-ndr");
  const auto time = [&] {
    return sim::collective_cost(sim::Collective::all_reduce, sim::Bytes{size}, {16, 8}, network)
        .time.value;
  };
  row.nccl_version = "2.18.5";
  EXPECT_EQ(simulated(row), time());
  row.nccl_version = "2.16.2";
  network.intra.nvls_share = 0.0;
  EXPECT_EQ(simulated(row), time());
  row.nccl_version = "NCCL 2.9.9+cuda11.2";
  EXPECT_EQ(simulated(row), time());  // trees were missing on EFA only
  // A fabric of which the library without trees was measured has costs of its own.
  row.gpu = "A100-SXM4-40GB";
  row.interconnect = "EFA 4x100Gb/s per node";
  EXPECT_EQ(simulated(row), expected(sim::Collective::all_reduce, {16, 8}, "nvlink3-efa-ring"));
  row.nccl_version = "";
  EXPECT_EQ(simulated(row), expected(sim::Collective::all_reduce, {16, 8}, "nvlink3-efa"));
}

TEST(MappedCollective, TheWayOfRunningAddsToEachCall) {
  CollectiveMeasurement row = two_h100_nodes();
  row.n_nodes = 1;
  row.n_gpus = 8;
  const double own_processes = simulated(row);
  row.notes = "one process 8 GPUs";
  EXPECT_NEAR(simulated(row), own_processes + 8 * 2.2e-6, 1e-12);
  row.collective = "alltoall";
  const double one_process = simulated(row);
  row.notes = "";
  EXPECT_NEAR(one_process, simulated(row) + 65e-6, 1e-12);
  row.collective = "sendrecv";
  const double message = simulated(row);
  row.notes = "one process 8 GPUs";
  EXPECT_EQ(simulated(row), message);
}

TEST(MappedCollective, TablesOfXlaHaveNoReductionInTheSwitchOfANode) {
  CollectiveMeasurement row = two_h100_nodes();
  row.collective = "all_reduce";
  row.n_nodes = 1;
  row.n_gpus = 8;
  row.source = "x/default_collective_perf_table.txtpb";
  row.system = "8-GPU NVSwitch node";
  sim::Network network = library().networks.at("nvlink4-ndr");
  network.intra.nvls_share = 0.0;
  network.collective_overhead = sim::Seconds{8 * 2e-6};
  EXPECT_EQ(simulated(row),
            sim::collective_cost(sim::Collective::all_reduce, sim::Bytes{size}, {8, 8}, network)
                .time.value);
  row.gpu = "GB200";
  row.system = "NVL72 rack";
  row.n_nodes = std::nullopt;
  row.active_gpus = 64;
  EXPECT_EQ(simulated(row), expected(sim::Collective::all_reduce, {8, 8}, "nvl72-ndr"));
  row.active_gpus = 8;
  EXPECT_EQ(simulated(row), expected(sim::Collective::all_reduce, {8, 8}, "nvl72-ndr"));
}

TEST(MappedCollective, WhatNobodyKnowsIsTheSystemsOrTheUsualNetwork) {
  CollectiveMeasurement row = two_h100_nodes();
  row.interconnect = "carrier pigeons";
  EXPECT_EQ(simulated(row), expected(sim::Collective::all_gather, {16, 8}, "nvlink4-ndr"));
  EXPECT_EQ(simulate_collective(row).assumed, (std::vector<std::string>{"interconnect"}));
  row.system = "GCP 2x a3-megagpu-8g";
  CollectiveMeasurement stated = row;
  stated.interconnect = "TCPXO";
  EXPECT_EQ(simulated(row), simulated(stated));
}

TEST(MappedCollective, APartlyUsedNodeHasWholeAdapters) {
  CollectiveMeasurement row = two_h100_nodes();
  row.collective = "sendrecv";
  row.n_gpus = 2;
  row.interconnect = "InfiniBand 8x400Gb/s";
  EXPECT_EQ(simulated(row), expected(sim::Collective::send_receive, {2, 1}, "nvlink4-ndr"));
  row.gpu = "A100-SXM4-40GB";  // four adapters of 100 Gbit/s for eight GPUs, one for one
  row.interconnect = "EFA";
  sim::Network network = library().networks.at("nvlink3-efa");
  network.inter_bandwidth = sim::BytesPerSecond{12.5e9};
  const double one =
      sim::collective_cost(sim::Collective::send_receive, sim::Bytes{size}, {2, 1}, network)
          .time.value;
  EXPECT_EQ(simulated(row), one);
  row.interconnect = "EFA 4x100Gb/s per node";
  EXPECT_EQ(simulated(row), one);
}

TEST(MappedCollective, BoardsOfFourHaveNoSwitch) {
  CollectiveMeasurement row = two_h100_nodes();
  row.n_gpus = 8;
  row.interconnect = "InfiniBand 4x400Gb/s per node";
  sim::Network network = library().networks.at("nvlink4-ndr");
  network.domain = sim::DomainKind::direct;
  network.direct_peers = 3;
  const auto time = [&](const sim::Group& group) {
    return sim::collective_cost(sim::Collective::all_gather, sim::Bytes{size}, group, network)
        .time.value;
  };
  EXPECT_EQ(simulated(row), time({8, 4}));
  network = library().networks.at("nvlink4-ndr");
  row.system = "two DGX H100";  // half of each
  row.interconnect = "InfiniBand 8x400Gb/s per node";
  EXPECT_EQ(simulated(row), time({8, 4}));
  row.system = "half a node";
  row.n_nodes = 1;
  row.n_gpus = 4;
  EXPECT_EQ(simulated(row), time({4, 4}));
}

TEST(MappedCollective, ADgx2HasASwitch) {
  CollectiveMeasurement row = two_h100_nodes();
  row.gpu = "V100-SXM3-32GB";
  row.n_nodes = 1;
  row.n_gpus = 16;
  row.interconnect = "NVLink2/NVSwitch";
  sim::Network network = library().networks.at("nvlink2-edr");
  network.domain = sim::DomainKind::switched;
  network.intra_bandwidth = sim::BytesPerSecond{150e9};
  const double switched =
      sim::collective_cost(sim::Collective::all_gather, sim::Bytes{size}, {16, 16}, network)
          .time.value;
  EXPECT_EQ(simulated(row), switched);
  row.system = "DGX-2";
  row.interconnect = "NVLink";
  row.n_nodes = std::nullopt;
  EXPECT_EQ(simulated(row), switched);
}

TEST(MappedCollective, ASliceIsATorusOfItsOwn) {
  CollectiveMeasurement row = two_h100_nodes();
  row.system = "TPU v7x slice 2x2x2";
  row.gpu = "TPU v7x";
  row.n_nodes = std::nullopt;
  row.n_gpus = 8;
  row.interconnect = "ICI";
  row.notes = "a 4-way gather in both slices";
  sim::Network network = library().networks.at("tpu-v7x-cube");
  network.torus = {2, 2, 2};
  network.torus_wraps = false;
  EXPECT_EQ(simulate_collective(row).ranks, 4);
  EXPECT_EQ(simulated(row),
            sim::collective_cost(sim::Collective::all_gather, sim::Bytes{size}, {4, 4}, network)
                .time.value);
  row.notes = "";
  EXPECT_EQ(simulate_collective(row).ranks, 8);
}

TEST(MappedCollective, WhatItsSourceSaysNotToUseIsFlagged) {
  CollectiveMeasurement row = two_h100_nodes();
  EXPECT_FALSE(is_flagged(row));
  row.notes = "above the peak of the links: do not use";
  EXPECT_TRUE(is_flagged(row));
}

TEST(MappedCollective, WhatNoSimulationIsAskedFor) {
  CollectiveMeasurement row = two_h100_nodes();
  EXPECT_TRUE(is_wanted(row));
  row.collective = "scan";  // wanted, and skipped: nobody simulates it yet
  EXPECT_TRUE(is_wanted(row));
  row.collective = "moe_combine";
  EXPECT_FALSE(is_wanted(row));
  row = two_h100_nodes();
  row.gpu = "L40";  // named, if unknown
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
           {[](Row& row) { row.gpu = "TPU v2"; }, "needs tpu"},
           {[](Row& row) { row.gpu = ""; }, "gpu is empty and the system does not tell it"},
           {[](Row& row) { row.gpu = "L40"; }, "no network of the library stands for \"L40\""},
           {[](Row& row) {
              row.gpu = "X9";
              row.system = "DGX H100";
            },
            "no network of the library stands for \"X9\""},
           {[](Row& row) { row.gpu = "H800-PCIe"; },
            "no network of the library stands for \"H800-PCIe\""},
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
