#include <gtest/gtest.h>

#include "datasets/mapping/network_choice.h"
#include "sim/base/units.h"

namespace cubicbench::datasets {
namespace {

using sim::literals::operator""_GBps;

/// Eight adapters of 50 GB/s a node, of which 0.8 is reached.
sim::Cluster cluster_of(int gpus) {
  sim::Cluster cluster;
  cluster.gpus = gpus;
  cluster.gpus_per_node = 8;
  cluster.network.intra_bandwidth = 450_GBps;
  cluster.network.inter_bandwidth = 50_GBps;
  cluster.network.inter.reduce.share = cluster.network.inter.gather.share = 0.8;
  return cluster;
}

sim::Cluster measured(int gpus, const MeasuredFabric& fabric) {
  sim::Cluster cluster = cluster_of(gpus);
  apply_measured(fabric, cluster);
  return cluster;
}

MeasuredFabric fabric_of(double all_reduce, double all_gather) {
  MeasuredFabric fabric;
  fabric.all_reduce = all_reduce;
  fabric.all_gather = all_gather;
  return fabric;
}

TEST(MeasuredNetwork, NothingMeasuredChangesNothing) {
  EXPECT_EQ(measured(128, {}), cluster_of(128));
}

TEST(MeasuredNetwork, SlowAllGathersTellRanksThatWait) {
  // (1/x - 1/260) / 128 > 1e-4 from x = 60.1 GB/s down.
  EXPECT_EQ(measured(128, fabric_of(176.0, 61.0)).state, sim::NetworkState{});
  EXPECT_EQ(measured(128, fabric_of(50.0, 59.0)).state, slow_network());
}

TEST(MeasuredNetwork, ALayerOfTenHalvesWaitsAndWeightsFeelHalfOfOne) {
  const sim::NetworkState slow = slow_network();
  EXPECT_DOUBLE_EQ(slow.launch_wait.value, 2.1e-3 / 3.0);
  EXPECT_DOUBLE_EQ(slow.collective_wait.value, 0.5 * 2.1e-3 / 10.0);
}

TEST(MeasuredNetwork, ANodeSendsNoMoreThanTheAllReduceOfTheJob) {
  EXPECT_DOUBLE_EQ(measured(128, fabric_of(200.0, 124.0)).network.inter.reduce.share, 0.5);
  EXPECT_DOUBLE_EQ(measured(128, fabric_of(399.0, 124.0)).network.inter.reduce.share, 0.8);
  // Of two nodes it is no rate of their adapters.
  EXPECT_DOUBLE_EQ(measured(16, fabric_of(200.0, 220.0)).network.inter.reduce.share, 0.8);
}

TEST(MeasuredNetwork, OfRanksThatWaitTheAllReduceShowsTheirWait) {
  EXPECT_DOUBLE_EQ(measured(512, fabric_of(13.0, 6.4)).network.inter.reduce.share, 176.0 / 400.0);
}

}  // namespace
}  // namespace cubicbench::datasets
