// What is wrong with a cluster, as a whole step feels it.
#include "sim/engine/event/conditions.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "sim/engine/event/job_loads.h"
#include "sim/network/routes.h"
#include "sim/network/topologies.h"
#include "tests/sim/engine/event/random_job.h"
#include "tests/sim/fixtures.h"

namespace cubicbench::sim {
namespace {

/// Two GPUs of a node that reduce their gradients after the backward pass, beside nothing.
struct Pair {
  Transformer model = llama_8b();
  Plan plan;
  Cluster cluster = round_cluster(2);
  Stack stack = round_stack();
  Workspace workspace;

  Pair() {
    model.layers = 2;
    plan.global_batch = 2;
    cluster.device.memory = 4096_GiB;
    cluster.gpus_per_node = 2;
    stack.data_overlap = 0.0;
  }

  Seconds step(Conditions conditions) {
    EventOptions options = with_contention(true);
    options.conditions = std::move(conditions);
    return play(model, plan, cluster, stack, options, workspace).step.step;
  }
};

Conditions degraded(VertexId from, VertexId to, double share) {
  Conditions conditions;
  conditions.degraded_links = {{from, to, share}};
  return conditions;
}

TEST(Conditions, ADegradedCableStretchesWhatNeedsMoreOfIt) {
  // A ring of two sends each payload once, 2 (2 - 1) / 2, at 0.8 of the 450 GB/s of a cable. Half
  // the cable leaves 225 of these 360 GB/s, a quarter 112.5. Nine tenths hold nobody up.
  struct Case {
    double share, stretch;
  };
  Pair pair;
  const Seconds ideal = pair.step({});
  const StepProgram& program = pair.workspace.program;
  const Bytes payload{program.runs[0].weights.parameters *
                      program.weights.reduce_bytes_per_parameter};
  const Topology topology = build_topology(topology_shape(pair.cluster.network, 2, 2));
  const VertexId gpu = gpu_vertex(0);
  const VertexId domain = domain_switch(topology, 0);
  for (const auto& [share, stretch] : {Case{0.9, 1.0}, Case{0.5, 1.6}, Case{0.25, 3.2}}) {
    SCOPED_TRACE(testing::Message() << "share " << share);
    const Seconds slowed = pair.step(degraded(gpu, domain, share));
    const double lost = (stretch - 1.0) * (payload / 360_GBps).value;
    // Rates are whole bytes a second and weights of links 1/256: a few in ten thousand.
    EXPECT_NEAR((slowed - ideal).value, lost, 1e-3 * lost + 1e-11);
  }
}

TEST(Conditions, TheOtherDirectionIsAnotherCable) {
  // A ring uses both directions alike, whichever of its members' cables is worse.
  Pair pair;
  const Topology topology = build_topology(topology_shape(pair.cluster.network, 2, 2));
  const VertexId domain = domain_switch(topology, 0);
  const Seconds up = pair.step(degraded(gpu_vertex(0), domain, 0.5));
  EXPECT_EQ(pair.step(degraded(domain, gpu_vertex(0), 0.5)), up);
  EXPECT_EQ(pair.step(degraded(gpu_vertex(1), domain, 0.5)), up);
}

TEST(Conditions, AllCablesBetweenTwoPlacesLoseTheirShareAndNoOthers) {
  // Every pair of GPUs that a cube mesh joins, by one cable or by two.
  Cluster cluster = random_job(0, 5, Placement::packed).cluster;
  cluster.gpus = 8;
  const Topology topology = build_topology(topology_shape(cluster.network, 8, 8));
  JobGraph graph;
  const auto capacities = [&](const Conditions& conditions) {
    return job_loads(graph, {}, {}, cluster, conditions).capacities;
  };
  const auto whole = capacities({});
  for (const Link& one : topology.links) {
    const auto left = capacities(degraded(one.from, one.to, 0.25));
    for (const Link& other : topology.links) {
      const bool meant = other.from == one.from && other.to == one.to;
      EXPECT_EQ(left[other.bundle], meant ? whole[other.bundle] / 4 : whole[other.bundle]);
    }
  }
}

TEST(Conditions, AMillionthOfACableStillEnds) {
  Pair pair;
  const Topology topology = build_topology(topology_shape(pair.cluster.network, 2, 2));
  const Conditions worst = degraded(gpu_vertex(0), domain_switch(topology, 0), 1e-6);
  EXPECT_GT(pair.step(worst), 1000.0 * pair.step({}));
}

TEST(Conditions, ARouteThatIsTakenAnywayChangesNothing) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    // Three tiers, on which two GPUs are joined by one way in terms of bundles.
    const RandomJob job = random_job(seed, 3, Placement::packed);
    SCOPED_TRACE(description(seed, job));
    const Topology topology = build_topology(topology_shape(job.cluster.network, 64, 8));
    Dice dice(seed);
    const std::int64_t from = dice.below(64);
    const std::int64_t to = (from + 1 + dice.below(63)) % 64;
    FixedRoute fixed{.from = from, .to = to, .over = {gpu_vertex(from)}};
    const Route way = route(topology, {.from = from, .to = to});
    for (const LinkId link : way.links()) {
      fixed.over.push_back(topology.links[link].to);
    }
    EventOptions options = with_contention(true);
    const Seconds plain = job.play(options).step.step;
    options.conditions.routes = {fixed};
    EXPECT_NEAR(job.play(options).step.step / plain, 1.0, 1e-6);
  }
}

TEST(ConditionsDeathTest, WantCablesThatAreThere) {
  Pair pair;
  EXPECT_DEATH(pair.step(degraded(gpu_vertex(0), gpu_vertex(1), 0.5)), "!cables.empty");
  Conditions routed;
  routed.routes = {{0, 1, {gpu_vertex(0), gpu_vertex(1)}}};
  EXPECT_DEATH(pair.step(routed), "!cables.empty");
}

}  // namespace
}  // namespace cubicbench::sim
