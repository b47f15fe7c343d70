#include "scenarios/readers/network_reader.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "scenarios/catalog.h"
#include "scenarios/constants/collective_constants.h"
#include "scenarios/readers/collective_costs_reader.h"
#include "scenarios/readers/network_canonical.h"

namespace cubicbench::scenarios {
namespace {

using Json = nlohmann::ordered_json;

Document shelved(Kind kind, const std::string& name) {
  return {.file = "n.json", .directory = "", .text = std::string(text(kind, name).value_or("{}"))};
}

NetworkDescription description_of(const std::string& name) {
  std::vector<support::Problem> problems;
  const NetworkDescription read = read_network_description(shelved(Kind::network, name), problems);
  EXPECT_TRUE(problems.empty()) << problems.front().where << ": " << problems.front().text;
  return read;
}

TEST(Networks, AreFasterInsideADomainThanBetweenDomains) {
  for (const Entry& entry : names(Kind::network)) {
    SCOPED_TRACE(entry.name);
    const NetworkDescription read = description_of(entry.name);
    EXPECT_EQ(read.name, entry.name);
    EXPECT_GT(read.network.intra_bandwidth, read.network.inter_bandwidth);
    EXPECT_GT(read.network.intra.simple.base.value, 0.0);
    EXPECT_LT(read.network.intra.simple.step, read.network.inter.gather.base);
  }
}

TEST(Networks, HaveTheRatesOfTheirLinksAndAdapters) {
  struct Case {
    const char* name;
    double links;       ///< of a GPU to the switch or to its peers; 1: the rate is of one link
    double link_gb_s;   ///< of one of them, one direction
    double nics;        ///< of a domain
    double nic_gbit_s;  ///< of one of them
    int gpus;           ///< of a domain
  };
  for (const Case& c :
       {Case{"nvlink2-edr", 1, 25, 4, 100, 8},                                             //
        Case{"nvlink3-hdr", 12, 25, 8, 200, 8},                                            //
        Case{"nvlink3-roce", 12, 25, 8, 200, 8},                                           //
        Case{"nvlink3-efa", 12, 25, 4, 100, 8},                                            //
        Case{"nvlink3-opa", 4, 25, 4, 100, 8},                                             //
        Case{"nvlink3-slingshot", 12, 25, 4, 200, 4}, Case{"a800-hdr", 8, 25, 8, 200, 8},  //
        Case{"nvlink4-ndr", 18, 25, 8, 400, 8},                                            //
        Case{"nvlink4-roce", 18, 25, 8, 400, 8},                                           //
        Case{"nvlink4-efa", 18, 25, 32, 100, 8},                                           //
        Case{"nvlink4-tcpxo", 18, 25, 8, 200, 8},                                          //
        Case{"nvlink4-tcpx", 18, 25, 4, 200, 8},                                           //
        Case{"nvlink4-tcp", 18, 25, 8, 200, 8},                                            //
        Case{"h800-ndr", 8, 25, 8, 400, 8},                                                //
        Case{"nvlink5-ndr", 18, 50, 8, 400, 8},                                            //
        Case{"nvlink5-roce", 18, 50, 8, 400, 8},                                           //
        Case{"nvlink5-xdr", 18, 50, 8, 800, 8},                                            //
        Case{"nvl72-ndr", 18, 50, 72, 400, 72},                                            //
        Case{"mi300x-roce", 7, 64, 8, 400, 8},                                             //
        Case{"mi355x-roce", 7, 76.5, 8, 400, 8}}) {
    SCOPED_TRACE(c.name);
    const NetworkDescription read = description_of(c.name);
    EXPECT_DOUBLE_EQ(read.network.intra_bandwidth.value, c.links * c.link_gb_s * 1e9);
    EXPECT_DOUBLE_EQ(read.network.inter_bandwidth.value, c.nics * c.nic_gbit_s / 8 * 1e9 / c.gpus);
    EXPECT_EQ(read.domain_gpus, c.gpus);
  }
}

TEST(Networks, AreJoinedAsTheirMachinesAre) {
  EXPECT_EQ(description_of("nvlink4-ndr").network.domain, sim::DomainKind::switched);
  EXPECT_EQ(description_of("mi355x-roce").network.direct_peers, 7);
  const sim::Network mesh = description_of("nvlink2-edr").network;
  EXPECT_EQ(mesh.domain, sim::DomainKind::cube_mesh);
  EXPECT_EQ(mesh.rings[2], 1);  // vTrain's tables of V100: 22, 85 and 135 GB/s
  EXPECT_EQ(mesh.rings[4], 4);
  EXPECT_EQ(mesh.rings[8], 6);
  const sim::Network llama = description_of("llama3-roce").network;
  EXPECT_EQ(llama.fabric, sim::FabricKind::clos);
  EXPECT_EQ(llama.tiers[1].gpus, 3072);
  EXPECT_EQ(llama.tiers[1].oversubscription, 7.0);
}

TEST(Networks, OfVersion1AreRingsOfOneProtocol) {
  const Document document{.file = "n.json", .directory = "", .text = R"({
    "schema": "cubicbench.network/1", "name": "old", "summary": "s",
    "intra_bandwidth_gb_s": 300, "intra_efficiency": 0.75, "intra_latency_us": 1,
    "inter_bandwidth_gb_s": 25, "inter_efficiency": 0.9, "inter_latency_us": 5,
    "collective_overhead_us": 13,
    "sources": {"intra_bandwidth_gb_s": "a", "intra_efficiency": "a", "intra_latency_us": "a",
      "inter_bandwidth_gb_s": "a", "inter_efficiency": "a", "inter_latency_us": "a",
      "collective_overhead_us": "a"}})"};
  std::vector<support::Problem> problems;
  const NetworkDescription read = read_network_description(document, problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(read.domain_gpus, 8);
  EXPECT_DOUBLE_EQ(read.network.intra_bandwidth.value, 300e9);
  EXPECT_EQ(read.network.intra.simple.share, 0.75);
  EXPECT_EQ(read.network.intra.simple.step, sim::Seconds{1e-6});
  EXPECT_EQ(read.network.intra.ll.share, 0.0);
  EXPECT_EQ(read.network.intra.nvls_share, 0.0);
  EXPECT_EQ(read.network.inter.gather.share, 0.9);
  EXPECT_FALSE(read.network.inter.trees);
  EXPECT_DOUBLE_EQ(read.network.inter.gather.base.value, 18e-6);  // start-up and one step
  EXPECT_DOUBLE_EQ(read.network.inter.reduce.base.value, 23e-6);  // two steps
}

/// What reading `name` says after `pointer` got `value`.
std::string problem_after(Kind kind, const char* name, const char* pointer, const char* value) {
  Json json = Json::parse(*text(kind, name));
  json[Json::json_pointer(pointer)] = Json::parse(value);
  const Document document{.file = "n.json", .directory = "", .text = json.dump()};
  std::vector<support::Problem> problems;
  if (kind == Kind::network) {
    read_network_description(document, problems);
  } else {
    read_domain_costs(document, problems);
  }
  return problems.empty() ? "" : problems.front().where + ": " + problems.front().text;
}

TEST(Networks, SayWhatIsWrongWithThem) {
  struct Case {
    const char* name;
    const char* pointer;
    const char* value;
    const char* message;
  };
  for (const Case& c : {
           Case{"nvlink4-ndr", "/schema", "\"cubicbench.network/3\"",
                "n.json#/schema: expected one of cubicbench.network/2, cubicbench.network/1, got "
                "\"cubicbench.network/3\"; did you mean \"cubicbench.network/2\"?"},
           Case{"nvlink4-ndr", "/domain/kind", "\"ring\"",
                "n.json#/domain/kind: expected one of switched, direct, cube_mesh, torus, got "
                "\"ring\""},
           Case{"nvlink4-ndr", "/domain/gb_s", "0",
                "n.json#/domain/gb_s: expected a number in [0.001, 1e+06], got 0"},
           Case{"nvlink4-ndr", "/domain/costs", "\"nvlink44\"",
                "n.json#/domain/costs: unknown collective costs \"nvlink44\"; did you mean "
                "\"nvlink4\"?"},
           Case{"nvlink4-ndr", "/domain/costs", "\"ib\"",
                "scenarios/collectives/ib.json#/of: expected \"domain\", got \"fabric\""},
           Case{"nvlink4-ndr", "/domain/costs", "\"./no-such.json\"",
                "n.json#/domain/costs: expected a file, got none at ./no-such.json"},
           Case{"nvlink2-edr", "/domain/costs", "\"nvlink4\"",
                "n.json#/domain/costs: expected costs without reduction in the switch (nvls), as a "
                "domain of kind cube_mesh has no switch, got \"nvlink4\""},
           Case{"nvlink4-ndr", "/fabric/adaptors", "8",
                "n.json#/fabric/adaptors: unknown key; did you mean \"adapters\"?"},
           Case{"llama3-roce", "/fabric/kind", "\"flat\"",
                "n.json#/fabric/tiers: expected no tiers in a flat fabric, got 2"},
           Case{"llama3-roce", "/fabric/tiers/1/gpus", "16",
                "n.json#/fabric/tiers: expected blocks that are whole multiples of the tier below, "
                "the first of a domain, got 16"},
           Case{"llama3-roce", "/fabric/tiers/0/oversubscription", "0",
                "n.json#/fabric/tiers/0/oversubscription: expected a number in [0.001, 10000], got "
                "0"},
           Case{"nvlink2-edr", "/domain/gpus", "16",
                "n.json#/domain/gpus: expected a cube mesh of at most 8 GPUs, got 16"},
           Case{"nvlink4-ndr", "/sources/domain/gb_s", "null",
                "n.json#/sources/domain/gb_s: expected a string, got nothing"},
       }) {
    SCOPED_TRACE(c.pointer);
    EXPECT_EQ(problem_after(Kind::network, c.name, c.pointer, c.value), c.message);
  }
}

TEST(CollectiveCosts, SayWhatIsWrongWithThem) {
  const auto after = [](const char* pointer, const char* value) {
    return problem_after(Kind::collectives, "nvlink4", pointer, value);
  };
  EXPECT_EQ(after("/ll/share", "2"), "n.json#/ll/share: expected a number in [0, 1], got 2");
  EXPECT_EQ(after("/simple", "null"), "n.json#/simple: expected an object, got nothing");
  EXPECT_EQ(after("/nvls/fil_us", "2"),
            "n.json#/nvls/fil_us: unknown key; did you mean \"fill_us\"?");
  EXPECT_EQ(after("/sources/nvls", "\"\""),
            "n.json#/sources/nvls: expected the source of \"nvls\", got \"\"");
}

TEST(CollectiveCosts, StartWhateverHasAShare) {
  const auto first = [](const char* name, const char* pointer) {
    Json json = Json::parse(*text(Kind::collectives, name));
    json[Json::json_pointer(pointer)] = nullptr;
    std::vector<support::Problem> problems;
    read_collective_costs({.file = "c.json", .directory = "", .text = json.dump()}, problems);
    return problems.empty() ? "" : problems.front().where + ": " + problems.front().text;
  };
  const std::string message = ": expected a number in [0, 1e+06], got nothing";
  EXPECT_EQ(first("ib", "/reduce/base_us"), "c.json#/reduce/base_us" + message);
  EXPECT_EQ(first("ib", "/gather/low_base_us"), "c.json#/gather/low_base_us" + message);
  EXPECT_EQ(first("nvlink4", "/nvls/base_us"), "c.json#/nvls/base_us" + message);
}

TEST(CollectiveCosts, OfSomethingElseAreNotReadFurther) {
  for (const char* of : {"\"fabrik\"", "\"domain\"", "null", "7"}) {
    SCOPED_TRACE(of);
    Json json = Json::parse(*text(Kind::collectives, "ib"));
    json["of"] = Json::parse(of);
    const Document document{.file = "c.json", .directory = "", .text = json.dump()};
    std::vector<support::Problem> problems;
    read_fabric_costs(document, problems);
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_EQ(problems.front().where, "c.json#/of");
  }
  std::vector<support::Problem> problems;
  Json json = Json::parse(*text(Kind::collectives, "ib"));
  json["of"] = "fabrik";
  read_collective_costs({.file = "c.json", .directory = "", .text = json.dump()}, problems);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems.front().text,
            "expected one of domain, fabric, got \"fabrik\"; did you mean \"fabric\"?");
}

/// Constants that are not zero, by the table that they stand in.
template <class Costs>
std::map<std::string, int> counts_of(std::span<const CollectiveConstant<Costs>> constants,
                                     const Costs& costs) {
  std::map<std::string, int> counts;
  for (const CollectiveConstant<Costs>& constant : constants) {
    const std::string table(constant.name.substr(0, constant.name.find('.')));
    if (value_of(constant, costs) != 0.0) ++counts[table];
  }
  return counts;
}

TEST(CollectiveCosts, AreFewNumbers) {
  std::vector<support::Problem> problems;
  for (const Entry& entry : names(Kind::collectives)) {
    SCOPED_TRACE(entry.name);
    const Document document = shelved(Kind::collectives, entry.name);
    const bool domain = Json::parse(document.text).at("of") == "domain";
    if (domain) {
      const auto counts = counts_of(domain_constants(), read_domain_costs(document, problems));
      int all = 0;
      for (const auto& [table, count] : counts) all += count;
      EXPECT_LE(all, 18);
      continue;
    }
    const auto counts = counts_of(fabric_constants(), read_fabric_costs(document, problems));
    for (const auto& [family, count] : counts) EXPECT_LE(count, 6) << family;
  }
  EXPECT_TRUE(problems.empty());
}

TEST(CollectiveCosts, ConstantsAreReadInTheUnitOfTheirNames) {
  std::vector<support::Problem> problems;
  const Document document = shelved(Kind::collectives, "nvlink5");
  const Json json = Json::parse(document.text);
  const sim::DomainCosts costs = read_domain_costs(document, problems);
  EXPECT_DOUBLE_EQ(costs.ll.step.value, json["ll"]["step_us"].get<double>() * 1e-6);
  EXPECT_DOUBLE_EQ(costs.message_channel.value,
                   json["message"]["channel_gb_s"].get<double>() * 1e9);
  EXPECT_EQ(costs.small_group_loss, json["small_group_loss"].get<double>());
  for (const auto& constant : domain_constants()) {
    const std::string name(constant.name);
    const std::size_t dot = name.find('.');
    const Json& table = json.value(name.substr(0, dot), Json());
    const Json written = dot == std::string::npos ? table
                         : table.is_object()      ? table.value(name.substr(dot + 1), Json(0.0))
                                                  : Json(0.0);
    EXPECT_NEAR(value_of(constant, costs), written.get<double>(), 1e-9) << name;
    EXPECT_EQ(find_domain_constant(name), &constant);
  }
  for (const auto& constant : fabric_constants()) {
    EXPECT_EQ(find_fabric_constant(constant.name), &constant);
  }
  EXPECT_EQ(find_domain_constant("ll.shear"), nullptr);
}

TEST(CollectiveCosts, EveryConstantIsPartOfTheCanonicalForm) {
  const sim::Network network = description_of("nvlink5-ndr").network;
  const Json before = canonical_json(network);
  EXPECT_EQ(before["domain"], "switched");
  EXPECT_EQ(before["fabric"], "flat");
  for (const auto& constant : domain_constants()) {
    sim::Network other = network;
    set_value(constant, value_of(constant, other.intra) + 1.0, other.intra);
    EXPECT_NE(canonical_json(other), before) << constant.name;
  }
  for (const auto& constant : fabric_constants()) {
    sim::Network other = network;
    set_value(constant, value_of(constant, other.inter) + 1.0, other.inter);
    EXPECT_NE(canonical_json(other), before) << constant.name;
  }
}

}  // namespace
}  // namespace cubicbench::scenarios
