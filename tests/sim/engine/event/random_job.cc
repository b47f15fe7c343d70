#include "tests/sim/engine/event/random_job.h"

#include <array>
#include <sstream>
#include <vector>

#include "sim/engine/analytical.h"
#include "sim/network/topologies.h"
#include "tests/sim/fixtures.h"
#include "tests/sim/random_plan.h"

namespace cubicbench::sim {
namespace {

constexpr int gpus = 64;

Transformer small_model() {
  Transformer model = llama_8b();
  model.layers = 16;
  model.hidden = 2048;
  model.head_size = 64;
  model.ffn_hidden = 7168;
  model.sequence = 2048;
  return model;
}

/// Few micro-batches, so that a job is a thousand events a rank.
Plan random_plan(Dice& dice) {
  static const std::vector<Plan> plans = assorted_plans(2000);
  Plan plan = plans[static_cast<std::size_t>(dice.below(static_cast<std::int64_t>(plans.size())))];
  const std::int64_t replicas =
      gpus / (plan.tensor_parallel * plan.context_parallel * plan.pipeline_parallel);
  plan.global_batch = replicas * plan.micro_batch * plan.pipeline_parallel * (1 + dice.below(2));
  return plan;
}

Network tiers(FabricKind fabric, Tier lower, Tier upper) {
  Network network = round_network();
  network.fabric = fabric;
  network.tiers[0] = lower;
  network.tiers[1] = upper;
  return network;
}

Cluster random_cluster(int kind) {
  Cluster cluster = round_cluster(gpus);
  cluster.device.memory = 4096_GiB;  // everything fits, and nothing is near its limit
  Network& network = cluster.network;
  switch (kind) {
    case 1:
      network = tiers(FabricKind::rail, {16, 1.0, 1_us}, {32, 2.0, 1_us});
      break;
    case 2:
      network = tiers(FabricKind::clos, {16, 3.0, 1_us}, {});
      break;
    case 3:
      network = tiers(FabricKind::clos, {16, 1.0, 1_us}, {32, 4.0, 2_us});
      break;
    case 4:
      network.domain = DomainKind::torus;
      network.torus = {4, 4, 4};
      network.intra_bandwidth = 70_GBps;
      cluster.gpus_per_node = gpus;
      break;
    case 5:
      network.domain = DomainKind::cube_mesh;
      network.rings = {0, 1, 2, 1, 4, 1, 2, 1, 6};
      network.intra_bandwidth = 25_GBps;
      break;
    case 6:
      network = tiers(FabricKind::islands, {32, 5.0, 100_us}, {});
      break;
    case 7:
      network = tiers(FabricKind::dragonfly, {16, 0.5, 1_us}, {32, 2.0, 2_us});
      break;
    case 8:
      network.domain = DomainKind::direct;
      network.direct_peers = 7;
      break;
    default:
      break;
  }
  return cluster;
}

Stack random_stack(Dice& dice) {
  Stack stack = round_stack();
  stack.overlap_cost = 0.25 * static_cast<double>(dice.below(5));
  stack.pipeline_overlap = dice.once_in(2) ? 1.0 : 0.5;
  stack.tensor_overlap = dice.once_in(2) ? 0.0 : 0.5;
  stack.host_layer_forward = dice.once_in(2) ? 1_ms : 100_us;
  stack.host_jitter = dice.once_in(2) ? Seconds{} : 20_us;
  if (dice.once_in(2)) stack.context = ContextExchange::ring;
  return stack;
}

RandomJob drawn(std::uint64_t seed, int network, Placement placement) {
  Dice dice(seed);
  Workspace workspace;
  while (true) {
    RandomJob job{.model = small_model(),
                  .plan = random_plan(dice),
                  .cluster = random_cluster(network),
                  .stack = random_stack(dice)};
    if (network != 4) job.cluster.placement = placement;
    const StepReport report = evaluate(job.model, job.plan, job.cluster, job.stack, workspace);
    if (report.status == StepStatus::ok) return job;
  }
}

}  // namespace

EventReport RandomJob::play(const EventOptions& options) const {
  Workspace workspace;
  return sim::play(model, plan, cluster, stack, options, workspace);
}

RandomJob random_job(std::uint64_t seed, int network, Placement placement) {
  return drawn(seed, network, placement);
}

RandomJob random_job(std::uint64_t seed) {
  constexpr std::array placements{Placement::packed, Placement::packed, Placement::scattered,
                                  Placement::partly_used};
  return drawn(seed, static_cast<int>(seed % random_job_networks),
               placements[seed / random_job_networks % placements.size()]);
}

Conditions random_conditions(const RandomJob& job, Dice& dice) {
  Conditions conditions;
  for (std::int64_t i = dice.below(3); i > 0; --i) {
    conditions.slow_ranks.push_back({dice.below(gpus), 1.0 + dice.share()});
  }
  if (job.cluster.placement != Placement::packed) return conditions;
  const Topology topology =
      build_topology(topology_shape(job.cluster.network, gpus, job.cluster.gpus_per_node));
  for (std::int64_t i = dice.below(3); i > 0; --i) {
    const auto cable = dice.below(static_cast<std::int64_t>(topology.links.size()));
    const Link& link = topology.links[id_at<LinkId>(static_cast<std::size_t>(cable))];
    conditions.degraded_links.push_back({link.from, link.to, 0.1 + 0.9 * dice.share()});
  }
  return conditions;
}

std::string description(std::uint64_t seed, const RandomJob& job) {
  std::ostringstream out;
  const Plan& plan = job.plan;
  out << "seed " << seed << ": tensor " << plan.tensor_parallel << ", context "
      << plan.context_parallel << ", pipeline " << plan.pipeline_parallel << ", batch "
      << plan.global_batch << " by " << plan.micro_batch << ", schedule "
      << static_cast<int>(plan.schedule) << ", sharding " << static_cast<int>(plan.sharding)
      << ", fabric " << static_cast<int>(job.cluster.network.fabric) << ", domain "
      << static_cast<int>(job.cluster.network.domain) << ", placement "
      << static_cast<int>(job.cluster.placement);
  return out.str();
}

}  // namespace cubicbench::sim
