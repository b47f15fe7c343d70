#include "datasets/mapping/network_choice.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "datasets/mapping/library.h"
#include "support/input_error.h"

namespace cubicbench::datasets {
namespace {

TEST(NetworkChoice, NamesEntriesOfTheLibraryOnly) {
  const auto& networks = library().networks;
  for (const PairNetwork& pair : network_choices().pairs) {
    EXPECT_TRUE(networks.contains(pair.network)) << pair.network;
    EXPECT_TRUE(library().devices.contains(pair.device)) << pair.device;
  }
  for (const DeviceNetwork& device : network_choices().devices) {
    EXPECT_TRUE(networks.contains(device.network)) << device.network;
    EXPECT_TRUE(library().devices.contains(device.device)) << device.device;
  }
  for (const FabricNetwork& fabric : network_choices().fabrics) {
    EXPECT_TRUE(fabric.network.empty() || networks.contains(fabric.network)) << fabric.network;
  }
}

TEST(NetworkChoice, IsThePairsThenTheDevicesWithTheFabricsBetweenNodes) {
  const NetworkChoices& choices = network_choices();
  struct Case {
    const char* device;
    const char* fabric;
    const char* network;
  };
  for (const Case& c :
       {Case{"h100-sxm-80gb", "efa", "nvlink4-ndr"}, Case{"h100-sxm-80gb", "roce", "llama3-roce"},
        Case{"h100-sxm-80gb", "ib", "nvlink4-ndr"}, Case{"h100-sxm-80gb", "", "nvlink4-ndr"},
        Case{"h100-sxm-80gb", "never heard of", "nvlink4-ndr"},
        Case{"a100-sxm-80gb", "opa", "nvlink3-opa"}, Case{"gb200", "nvlink", "nvl72-ndr"},
        Case{"h800-80gb", "roce", "h800-ndr with nvlink4-roce"}}) {
    const auto chosen = choose_network(choices, c.device, c.fabric);
    ASSERT_TRUE(chosen) << c.device << " " << c.fabric;
    EXPECT_EQ(chosen->name, c.network) << c.device << " " << c.fabric;
  }
  EXPECT_FALSE(choose_network(choices, "abacus", "ib"));
  const auto joined = choose_network(choices, "h800-80gb", "roce");
  const sim::Network& inside = library().networks.at("h800-ndr");
  const sim::Network& between = library().networks.at("llama3-roce");
  EXPECT_EQ(joined->network.intra_bandwidth, inside.intra_bandwidth);
  EXPECT_EQ(joined->network.inter_bandwidth, between.inter_bandwidth);
  EXPECT_EQ(joined->network.inter, between.inter);
}

TEST(NetworkChoice, ADeviceOfOnesOwnHasThatOfTheOneMostLikeIt) {
  const NetworkChoices& choices = network_choices();
  const auto& devices = library().devices;
  for (const char* const name : {"v100-sxm", "a100-sxm-40gb", "h200-sxm-141gb", "mi300x"}) {
    sim::Device own = devices.find(name)->second;
    own.memory = 0.98 * own.memory;
    EXPECT_EQ(network_device(choices, "mine", own), name);
    EXPECT_EQ(network_device(choices, "gb200", own), "gb200");
  }
  sim::Device none = devices.at("mi300x");
  none.matmul_peak.fill({});
  EXPECT_EQ(network_device(choices, "mine", none), "mine");  // that no network is for
}

TEST(NetworkChoice, AFastDomainIsTheLargestPartThatDividesTheJob) {
  struct Case {
    const char* device;
    std::int64_t gpus, per_node, expected;
  };
  for (const Case& c :
       {Case{"gb200", 256, 4, 64}, Case{"gb200", 72, 4, 72}, Case{"gb200", 144, 4, 72},
        Case{"gb200", 8, 4, 8}, Case{"gb200", 73, 4, 4}, Case{"h100-sxm-80gb", 256, 8, 8}}) {
    EXPECT_EQ(fast_domain(network_choices(), c.device, c.gpus, c.per_node), c.expected)
        << c.device << " " << c.gpus;
  }
}

TEST(NetworkChoice, AGroupLiesAlikeOnAsFewDomainsAsHoldIt) {
  for (const auto& [gpus, expected] : {std::pair<int, int>{292, 59},
                                       {73, 37},
                                       {144, 72},
                                       {256, 64},
                                       {1024, 64},
                                       {72, 72},
                                       {8, 8},
                                       {100, 50}}) {
    EXPECT_EQ(domain_of_group(network_choices(), "gb200", gpus, 4), expected) << gpus;
  }
  EXPECT_EQ(domain_of_group(network_choices(), "h100-sxm-80gb", 292, 8), 8);
}

TEST(NetworkChoice, KnowsBoardsWithoutASwitch) {
  EXPECT_EQ(direct_peers(network_choices(), "h200-sxm-141gb", 4), 3);
  EXPECT_EQ(direct_peers(network_choices(), "h200-sxm-141gb", 8), 0);
  EXPECT_EQ(direct_peers(network_choices(), "gb200", 4), 0);
}

TEST(NetworkChoice, NamesTheFabricOfANetwork) {
  EXPECT_EQ(fabric_of(network_choices(), "h100-sxm-80gb", "nvlink4-ndr"), "ib");
  EXPECT_EQ(fabric_of(network_choices(), "h100-sxm-80gb", "llama3-roce"), "roce");
  EXPECT_EQ(fabric_of(network_choices(), "a100-sxm-80gb", "nvlink3-hdr"), "ib");
  EXPECT_EQ(fabric_of(network_choices(), "h100-sxm-80gb", "wet string"), "");
}

TEST(NetworkChoice, ReportsEveryProblem) {
  constexpr const char* text = R"({"schema": "cubicbench.measured_networks/2",
    "networks": [{"device": "d", "fabric": "", "network": "n"}],
    "devices": [{"device": "d", "network": "n", "why": ""}],
    "fabrics": [{"fabric": "", "why": "w", "z": 1}],
    "domains": [{"device": "d", "gpus": 0, "why": "w"}],
    "boards": [{"device": "d", "gpus_per_node": 1, "why": "w"}]})";
  try {
    read_network_choices(text, "a.json");
    ADD_FAILURE() << "nothing was thrown";
  } catch (const support::InputError& error) {
    EXPECT_STREQ(error.what(),
                 "a.json#/schema: expected \"cubicbench.measured_networks/1\", got "
                 "\"cubicbench.measured_networks/2\"\n"
                 "a.json#/networks/0/fabric: expected a text, got \"\"\n"
                 "a.json#/networks/0/why: expected a string, got nothing\n"
                 "a.json#/devices/0/why: expected a text, got \"\"\n"
                 "a.json#/fabrics/0/z: unknown key\n"
                 "a.json#/domains/0/gpus: expected an integer in [1, 2147483647], got 0\n"
                 "a.json#/boards/0/gpus_per_node: expected an integer in [2, 1024], got 1");
  }
}

}  // namespace
}  // namespace cubicbench::datasets
