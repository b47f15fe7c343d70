#include "scenarios/readers/conditions_reader.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

#include "scenarios/readers/place_name.h"
#include "scenarios/readers/scenario_reader.h"
#include "sim/base/philox.h"
#include "sim/network/topologies.h"
#include "support/input_error.h"
#include "tests/scenarios/broken_file.h"

namespace cubicbench::scenarios {
namespace {

/// Four nodes of eight GPUs with an adapter each, in racks of 16 GPUs below a spine.
Scenario four_nodes() {
  return read_scenario("llama3-8b",
                       std::vector<std::string>{"cluster.network=llama3-roce", "cluster.gpus=32"});
}

/// The conditions in `text`, read from a file of their own.
sim::Conditions read(const std::string& text, const Scenario& scenario) {
  write("conditions.json", text);
  return read_conditions(in_test_folder("conditions.json"), scenario);
}

/// What is wrong with `members` of a file of conditions, the file being called FILE.
std::string problems_of(const std::string& members, const Scenario& scenario) {
  try {
    read(R"({"schema": "cubicbench.conditions/1")" + (members.empty() ? "" : ", " + members) + "}",
         scenario);
    return "";
  } catch (const support::InputError& error) {
    const std::string path = in_test_folder("conditions.json");
    std::string message = error.what();
    for (std::size_t at = 0; (at = message.find(path, at)) != std::string::npos;) {
      message.replace(at, path.size(), "FILE");
    }
    return message;
  }
}

TEST(Conditions, AreReadAgainstTheTopologyOfTheCluster) {
  const Scenario scenario = four_nodes();
  const sim::Topology topology = sim::build_topology(sim::topology_shape(
      scenario.cluster.network, scenario.cluster.gpus, scenario.cluster.gpus_per_node));
  const sim::Conditions conditions = read(R"({
      "schema": "cubicbench.conditions/1",
      "slow_ranks": [{"rank": 3, "factor": 1.5}, {"rank": 4, "factor": 0.5}],
      "links": [{"from": "gpu:12", "to": "adapter:1/4", "share": 0.5, "both_ways": true},
                {"from": "domain:0", "to": "gpu:7", "share": 0.25}],
      "failed_ranks": [{"rank": 31, "at_s": 1.5}],
      "routes": [{"from": 0, "to": 8, "over": ["gpu:0", "adapter:0/0", "switch:0/0/0",
                                               "adapter:1/0", "gpu:8"]}]})",
                                          scenario);
  const sim::VertexId gpu_12 = sim::gpu_vertex(12);
  const sim::VertexId adapter = sim::adapter_vertex(topology, 1, 4);
  EXPECT_EQ(conditions.slow_ranks,
            (std::vector<sim::SlowRank>{{.rank = 3, .factor = 1.5}, {.rank = 4, .factor = 0.5}}));
  EXPECT_EQ(
      conditions.degraded_links,
      (std::vector<sim::DegradedLink>{
          {.from = gpu_12, .to = adapter, .share = 0.5},
          {.from = adapter, .to = gpu_12, .share = 0.5},
          {.from = sim::domain_switch(topology, 0), .to = sim::gpu_vertex(7), .share = 0.25}}));
  EXPECT_EQ(conditions.failed_ranks,
            (std::vector<sim::FailedRank>{{.rank = 31, .at = sim::Seconds{1.5}}}));
  EXPECT_EQ(conditions.routes,
            (std::vector<sim::FixedRoute>{
                {.from = 0,
                 .to = 8,
                 .over = {sim::gpu_vertex(0), sim::adapter_vertex(topology, 0, 0),
                          sim::fabric_switch(topology, 0, 0, 0),
                          sim::adapter_vertex(topology, 1, 0), sim::gpu_vertex(8)}}}));
}

TEST(Conditions, OfAClusterInOrderAreNone) {
  const Scenario scenario = four_nodes();
  EXPECT_EQ(read(R"({"schema": "cubicbench.conditions/1"})", scenario), sim::Conditions{});
  EXPECT_EQ(read(R"({"schema": "cubicbench.conditions/1", "version": "0.1.0", "slow_ranks": [],
                     "links": null, "routes": []})",
                 scenario),
            sim::Conditions{});
}

TEST(Conditions, EveryPlaceHasANameThatFindsIt) {
  for (const auto& [name, sets] :
       {std::pair{"llama3-8b",
                  std::vector<std::string>{"cluster.network=llama3-roce", "cluster.gpus=32"}},
        std::pair{"llama3-8b", std::vector<std::string>{}},
        std::pair{"llama3-8b", std::vector<std::string>{"cluster.network=dragonfly-slingshot",
                                                        "cluster.gpus_per_node=4"}},
        std::pair{"pathways-3b", std::vector<std::string>{}}}) {
    SCOPED_TRACE(name);
    const sim::Cluster cluster = read_scenario(name, sets).cluster;
    const sim::Topology topology = sim::build_topology(
        sim::topology_shape(cluster.network, cluster.gpus, cluster.gpus_per_node));
    for (std::size_t i = 0; i < topology.vertices.size(); ++i) {
      const auto place = sim::id_at<sim::VertexId>(i);
      const NamedPlace found = find_place(topology, place_name(topology, place));
      ASSERT_EQ(found.place, std::optional(place)) << place_name(topology, place);
      EXPECT_EQ(found.expected, "");
      EXPECT_NE(neighbour_names(topology, place), "");
    }
  }
}

struct Case {
  const char* members;
  const char* problems;
};

TEST(BadConditions, OfRanksAreRefused) {
  for (const Case& c : {
           Case{R"("slow_ranks": [{"rank": 32, "factor": 2}])",
                "FILE#/slow_ranks/0/rank: expected an integer in [0, 31], got 32"},
           Case{R"("slow_ranks": [{"rank": -1, "factor": 0}, {"rank": 1.0, "factor": -1}])",
                "FILE#/slow_ranks/0/rank: expected an integer in [0, 31], got -1\n"
                "FILE#/slow_ranks/0/factor: expected a number in (0, 1000], got 0\n"
                "FILE#/slow_ranks/1/rank: expected an integer in [0, 31], got 1.0\n"
                "FILE#/slow_ranks/1/factor: expected a number in (0, 1000], got -1"},
           Case{R"("slow_ranks": [{"rank": 5, "factor": 1001}, {"rank": 5, "factor": 2}])",
                "FILE#/slow_ranks/0/factor: expected a number in (0, 1000], got 1001\n"
                "FILE#/slow_ranks/1/rank: expected each rank once, got 5 again"},
           Case{R"("slow_ranks": [{}, 7])",
                "FILE#/slow_ranks/0/rank: expected an integer in [0, 31], got nothing\n"
                "FILE#/slow_ranks/0/factor: expected a number in (0, 1000], got nothing\n"
                "FILE#/slow_ranks/1: expected an object, got 7"},
           Case{R"("slow_ranks": {"rank": 5, "factor": 2})",
                "FILE#/slow_ranks: expected an array, got {\"rank\":5,\"factor\":2}"},
           Case{R"("failed_ranks": [{"rank": 7, "at_s": -0.5}, {"rank": 7, "at_s": 2}])",
                "FILE#/failed_ranks/0/at_s: expected a number in [0, 86400], got -0.5\n"
                "FILE#/failed_ranks/1/rank: expected each rank once, got 7 again"},
           Case{R"("failed_ranks": [{"rank": 7, "at_ms": 2}])",
                "FILE#/failed_ranks/0/at_s: expected a number in [0, 86400], got nothing\n"
                "FILE#/failed_ranks/0/at_ms: unknown key; did you mean \"at_s\"?"},
           Case{R"("slow_rank": [])", "FILE#/slow_rank: unknown key; did you mean \"slow_ranks\"?"},
       }) {
    SCOPED_TRACE(c.members);
    EXPECT_EQ(problems_of(c.members, four_nodes()), c.problems);
  }
}

TEST(BadConditions, OfLinksAreRefused) {
  for (const Case& c : {
           Case{R"("links": [{"from": "gpu:12", "to": "adapter:1/4", "share": 0}])",
                "FILE#/links/0/share: expected a number in [1e-06, 1], got 0: a link of no "
                "bandwidth "
                "never delivers"},
           Case{R"("links": [{"from": "gpu:12", "to": "adapter:1/4", "share": 1.5},
                             {"from": "gpu:13", "to": "adapter:1/5", "share": -1},
                             {"from": "gpu:14", "to": "adapter:1/6", "share": 1e-9}])",
                "FILE#/links/0/share: expected a number in [1e-06, 1], got 1.5\n"
                "FILE#/links/1/share: expected a number in [1e-06, 1], got -1\n"
                "FILE#/links/2/share: expected a number in [1e-06, 1], got 1e-09"},
           Case{R"("links": [{"from": "gpu:12", "share": "half"}])",
                "FILE#/links/0/to: expected a string, got nothing\n"
                "FILE#/links/0/share: expected a number in [1e-06, 1], got \"half\""},
           Case{R"("links": [{"from": 12, "to": "gp:3", "share": 1}])",
                "FILE#/links/0/from: expected a string, got 12\n"
                "FILE#/links/0/to: expected gpu:G, domain:D, adapter:D/A or "
                "switch:LAYER/BLOCK/NUMBER, got \"gp:3\""},
           Case{R"("links": [{"from": "gpu:32", "to": "domain:4", "share": 1},
                             {"from": "adapter:1/8", "to": "adapter:4/0", "share": 1},
                             {"from": "switch:0/2/0", "to": "switch:9/0/0", "share": 1},
                             {"from": "gpu:", "to": "gpu:-1", "share": 1},
                             {"from": "gpu:1/2", "to": "gpu:99999999999999999999", "share": 1}])",
                "FILE#/links/0/from: expected gpu:0 to gpu:31, got \"gpu:32\"\n"
                "FILE#/links/0/to: expected domain:0 to domain:3, got \"domain:4\"\n"
                "FILE#/links/1/from: expected adapter:0/0 to adapter:3/7, got \"adapter:1/8\"\n"
                "FILE#/links/1/to: expected adapter:0/0 to adapter:3/7, got \"adapter:4/0\"\n"
                "FILE#/links/2/from: expected switch:0/0/0 to switch:0/1/0, got \"switch:0/2/0\"\n"
                "FILE#/links/2/to: expected switch:0/BLOCK/NUMBER to switch:1/BLOCK/NUMBER, got "
                "\"switch:9/0/0\"\n"
                "FILE#/links/3/from: expected gpu:G, domain:D, adapter:D/A or "
                "switch:LAYER/BLOCK/NUMBER, got \"gpu:\"\n"
                "FILE#/links/3/to: expected gpu:G, domain:D, adapter:D/A or "
                "switch:LAYER/BLOCK/NUMBER, got \"gpu:-1\"\n"
                "FILE#/links/4/from: expected gpu:G, domain:D, adapter:D/A or "
                "switch:LAYER/BLOCK/NUMBER, got \"gpu:1/2\"\n"
                "FILE#/links/4/to: expected gpu:G, domain:D, adapter:D/A or "
                "switch:LAYER/BLOCK/NUMBER, got \"gpu:99999999999999999999\""},
           Case{R"("links": [{"from": "gpu:12", "to": "adapter:1/5", "share": 0.5},
                             {"from": "domain:0", "to": "gpu:8", "share": 0.5},
                             {"from": "gpu:1", "to": "gpu:1", "share": 0.5}])",
                "FILE#/links/0/to: expected what a cable joins to gpu:12 (domain:1, adapter:1/4), "
                "got \"adapter:1/5\"\n"
                "FILE#/links/1/to: expected what a cable joins to domain:0 (gpu:0, gpu:1, gpu:2, "
                "gpu:3, ...), got \"gpu:8\"\n"
                "FILE#/links/2/to: expected what a cable joins to gpu:1 (domain:0, adapter:0/1), "
                "got \"gpu:1\""},
           Case{R"("links": [{"from": "gpu:0", "to": "domain:0", "share": 0.5, "both_ways": true},
                             {"from": "domain:0", "to": "gpu:0", "share": 0.5}])",
                "FILE#/links/1: expected each link once, got domain:0 to gpu:0 again"},
       }) {
    SCOPED_TRACE(c.members);
    EXPECT_EQ(problems_of(c.members, four_nodes()), c.problems);
  }
}

TEST(BadConditions, OfRoutesAreRefused) {
  for (const Case& c : {
           Case{R"("routes": [{"from": 0, "to": 32, "over": []}])",
                "FILE#/routes/0/to: expected an integer in [0, 31], got 32"},
           Case{R"("routes": [{"from": 1, "to": 1, "over": ["gpu:1"]}])",
                "FILE#/routes/0/to: expected another GPU than \"from\", got 1"},
           Case{R"("routes": [{"from": 0, "to": 1, "over": []}, {"from": 0, "to": 2}])",
                "FILE#/routes/0/over: expected 2 to 65 places, both GPUs included, got 0\n"
                "FILE#/routes/1/over: expected an array, got nothing"},
           Case{R"("routes": [{"from": 0, "to": 1, "over": ["gpu:0", "domain:0", "gpu:0",
                                                            "domain:0", "gpu:1"]}])",
                "FILE#/routes/0/over/2: expected each place once, got \"gpu:0\" again: a cycle"},
           Case{R"("routes": [{"from": 0, "to": 1, "over": ["gpu:0", "gpu:1"]}])",
                "FILE#/routes/0/over/1: expected what a cable joins to gpu:0 (domain:0, "
                "adapter:0/0), got \"gpu:1\""},
           Case{R"("routes": [{"from": 0, "to": 1, "over": ["gpu:2", "domain:0", "gpu:3"]}])",
                "FILE#/routes/0/over/0: expected gpu:0, where the route begins, got \"gpu:2\"\n"
                "FILE#/routes/0/over/2: expected gpu:1, where the route ends, got \"gpu:3\""},
           Case{R"("routes": [{"from": 0, "to": 1, "over": ["gpu:0", "domain:9", "gpu:1"]},
                              {"from": 0, "to": 2, "over": ["gpu:0", 7, "gpu:1"]}])",
                "FILE#/routes/0/over/1: expected domain:0 to domain:3, got \"domain:9\"\n"
                "FILE#/routes/1/over/1: expected a string, got 7"},
           Case{R"("routes": [{"from": 0, "to": 1, "over": ["gpu:0", "domain:0", "gpu:1"]},
                              {"from": 1, "to": 0, "over": ["gpu:1", "domain:0", "gpu:0"]},
                              {"from": 0, "to": 1, "over": ["gpu:0", "domain:0", "gpu:1"]}])",
                "FILE#/routes/2: expected one route a pair of GPUs, got one from 0 to 1 again"},
       }) {
    SCOPED_TRACE(c.members);
    EXPECT_EQ(problems_of(c.members, four_nodes()), c.problems);
  }
}

TEST(BadConditions, NamePlacesThatThisClusterLacks) {
  struct Lacking {
    const char* scenario;
    std::vector<std::string> sets;
    const char* from;
    const char* problems;
  };
  for (const Lacking& c :
       {Lacking{"tiny-gpt",
                {},
                "adapter:0/0",
                "FILE#/links/0/from: expected a GPU or the switch of a domain, as this cluster is "
                "one domain, got \"adapter:0/0\""},
        Lacking{"pathways-3b",
                {},
                "domain:0",
                "FILE#/links/0/from: expected another place, as the domains of this cluster have "
                "no switch, got \"domain:0\""},
        Lacking{"llama3-8b",
                {"cluster.placement=scattered"},
                "gpu:0",
                "FILE#/links: expected a packed job: where the ranks of another lie is drawn"}}) {
    SCOPED_TRACE(c.scenario);
    const std::string members =
        R"("links": [{"from": ")" + std::string(c.from) + R"(", "to": "gpu:1", "share": 0.5}])";
    EXPECT_EQ(problems_of(members, read_scenario(c.scenario, c.sets)), c.problems);
  }
}

/// One of `words`, as `seed` has it.
std::string any_of(std::uint64_t seed, std::uint32_t draw, const std::vector<std::string>& words) {
  return words[sim::random_words({.seed = seed, .draw = draw}).first % words.size()];
}

std::string random_conditions(std::uint64_t seed) {
  std::uint32_t draws = 0;
  const auto place = [&] {
    return any_of(seed, draws++,
                  {R"("gpu:0")", R"("gpu:1")", R"("gpu:8")", R"("domain:0")", R"("domain:1")",
                   R"("adapter:0/0")", R"("adapter:1/0")", R"("switch:0/0/0")", R"("switch:1/0/0")",
                   R"("gpu:99")", R"("")", "7", "null", "[]"});
  };
  const auto number = [&] {
    return any_of(seed, draws++,
                  {"0", "1", "0.5", "8", "31", "-1", "1e300", "\"1\"", "true", "{}"});
  };
  std::string over;
  for (std::uint32_t i = 0; i < seed % 6; ++i) over += (i == 0 ? "" : ", ") + place();
  return R"("slow_ranks": [{"rank": )" + number() + R"(, "factor": )" + number() +
         R"(}], "failed_ranks": [{"rank": )" + number() + R"(, "at_s": )" + number() +
         R"(}], "links": [{"from": )" + place() + R"(, "to": )" + place() + R"(, "share": )" +
         number() + R"(}], "routes": [{"from": )" + number() + R"(, "to": )" + number() +
         R"(, "over": [)" + over + "]}]";
}

// Whatever a file says, it is read or refused with its place, each problem on a line of its own.
TEST(BadConditions, ThatAreRandomEndWithAMessage) {
  const Scenario scenario = four_nodes();
  int refused = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    const std::string problems = problems_of(random_conditions(seed), scenario);
    if (problems.empty()) continue;
    ++refused;
    std::istringstream lines(problems);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_TRUE(line.starts_with("FILE#/")) << line;
      EXPECT_NE(line.find(": expected "), std::string::npos) << line;
      EXPECT_NE(line.find(", got "), std::string::npos) << line;
    }
  }
  EXPECT_GT(refused, 400);
}

TEST(BadConditions, OfAnotherKindAreRefusedAtOnce) {
  const Scenario scenario = four_nodes();
  write("conditions.json", R"({"schema": "cubicbench.scenario/1", "slow_ranks": 7})");
  const std::string path = in_test_folder("conditions.json");
  try {
    read_conditions(path, scenario);
    FAIL() << "read a scenario as conditions";
  } catch (const support::InputError& error) {
    EXPECT_EQ(error.what(), path +
                                "#/schema: expected \"cubicbench.conditions/1\", got "
                                "\"cubicbench.scenario/1\"");
  }
  try {
    read_conditions(in_test_folder("no-such.json"), scenario);
    FAIL() << "read a file that is not there";
  } catch (const support::InputError& error) {
    EXPECT_EQ(error.what(), in_test_folder("no-such.json") + ": expected a file, got none");
  }
  write("conditions.json", R"({"schema": "cubicbench.conditions/1", "slow_ranks":
                               [{"rank": 1, "factor": NaN}]})");
  EXPECT_THROW(read_conditions(path, scenario), support::InputError);
}

}  // namespace
}  // namespace cubicbench::scenarios
