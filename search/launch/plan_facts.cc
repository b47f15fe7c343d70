#include "search/launch/plan_facts.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <variant>

#include "scenarios/space/constraint_slots.h"
#include "scenarios/space/setting.h"
#include "sim/plan/device_mesh.h"
#include "sim/plan/plan_cluster.h"
#include "sim/plan/validity.h"

namespace cubicbench::search {
namespace {

/// What follows from a plan and its problem. 0: it does not divide, or means nothing.
struct Derived {
  std::int64_t nodes = 0;
  std::int64_t node_gpus = 0;         ///< processes that are started on each
  std::int64_t data_ranks = 0;        ///< data parallelism, which is 0 where the GPUs do not divide
  std::int64_t replicas = 0;          ///< copies of the sharded weights
  std::int64_t shards = 0;            ///< data-parallel ranks that share a copy
  std::int64_t shard_ranks = 0;       ///< the same with the ranks of a context group
  std::int64_t shards_weights = 0;    ///< 1: some weights are gathered before they are used
  std::int64_t shards_in_groups = 0;  ///< 1: some state is sharded in groups of ranks
  std::int64_t rank_batch = 0;        ///< sequences a step and data-parallel rank
  std::int64_t microbatches = 0;      ///< of a data-parallel rank and step
  std::int64_t micro_tokens = 0;      ///< of a micro-batch and data-parallel rank
  std::int64_t step_tokens = 0;
  std::int64_t chunks = 0;             ///< of the model, over all pipeline stages
  std::int64_t chunk_layers = 0;       ///< where all have equally many
  std::int64_t chunk_layers_less = 0;  ///< likewise, if the first and the last have one less
  std::int64_t recompute_every = 0;    ///< K of every_K
  std::int64_t whole_layers = 0;       ///< 1: recomputation is of whole layers
  std::int64_t group_gpus = 0;         ///< GPUs that share one copy of the embedding tables
};

struct DerivedFact {
  std::string_view name;
  std::int64_t Derived::*value;
};
constexpr std::array derived_facts{DerivedFact{"nodes", &Derived::nodes},
                                   DerivedFact{"node_gpus", &Derived::node_gpus},
                                   DerivedFact{"data_ranks", &Derived::data_ranks},
                                   DerivedFact{"replicas", &Derived::replicas},
                                   DerivedFact{"shards", &Derived::shards},
                                   DerivedFact{"shard_ranks", &Derived::shard_ranks},
                                   DerivedFact{"shards_weights", &Derived::shards_weights},
                                   DerivedFact{"shards_in_groups", &Derived::shards_in_groups},
                                   DerivedFact{"rank_batch", &Derived::rank_batch},
                                   DerivedFact{"microbatches", &Derived::microbatches},
                                   DerivedFact{"micro_tokens", &Derived::micro_tokens},
                                   DerivedFact{"step_tokens", &Derived::step_tokens},
                                   DerivedFact{"chunks", &Derived::chunks},
                                   DerivedFact{"chunk_layers", &Derived::chunk_layers},
                                   DerivedFact{"chunk_layers_less", &Derived::chunk_layers_less},
                                   DerivedFact{"recompute_every", &Derived::recompute_every},
                                   DerivedFact{"whole_layers", &Derived::whole_layers},
                                   DerivedFact{"group_gpus", &Derived::group_gpus}};

std::int64_t quotient(std::int64_t a, std::int64_t b) { return b > 0 && a % b == 0 ? a / b : 0; }

void add_nodes(Derived& to, const sim::Cluster& cluster) {
  to.node_gpus = std::min(cluster.gpus, cluster.gpus_per_node);
  to.nodes = (cluster.gpus + to.node_gpus - 1) / to.node_gpus;
}

void add_ranks(Derived& to, const scenarios::Scenario& scenario, const sim::Plan& plan,
               const sim::Cluster& cluster) {
  const std::int64_t model = plan.tensor_parallel * plan.pipeline_parallel * plan.context_parallel;
  if (cluster.gpus % model != 0) return;
  to.data_ranks = sim::data_parallel(plan, cluster);
  if (to.data_ranks == 0) return;
  const auto& transformer = std::get<sim::Transformer>(scenario.workload);
  const bool stages_outermost = sim::has_experts(transformer) || scenario.stack.stages_outermost;
  const sim::WeightGroups weights = sim::device_mesh(plan, cluster, stages_outermost).weights;
  to.replicas = weights.replicate.ranks;
  to.shards = quotient(to.data_ranks, to.replicas);
  to.shard_ranks = weights.shard.ranks;
}

void add_sharding(Derived& to, scenarios::WorkloadKind kind, const sim::Plan& plan) {
  const bool transformer = scenarios::is_transformer(kind);
  const std::array shardings =
      transformer ? std::array{plan.sharding, plan.sharding, plan.sharding, plan.sharding}
                  : std::array{plan.dense_sharding, plan.sequence_sharding,
                               plan.interaction_sharding, plan.over_sharding};
  const auto is = [&](auto trait) {
    return std::ranges::any_of(shardings, [&](sim::Sharding one) { return traits(one).*trait; });
  };
  to.shards_weights = is(&sim::ShardingTraits::shards_parameters);
  to.shards_in_groups = is(&sim::ShardingTraits::in_groups);
}

void add_batch(Derived& to, const sim::Plan& plan, const scenarios::SpaceFacts& facts) {
  to.rank_batch = quotient(plan.global_batch, to.data_ranks);
  to.microbatches = quotient(to.rank_batch, plan.micro_batch);
  to.micro_tokens = plan.micro_batch * facts.sequence;
  to.step_tokens = plan.global_batch * facts.sequence;
}

void add_layers(Derived& to, const sim::Plan& plan, const scenarios::SpaceFacts& facts) {
  const bool interleaved = plan.schedule == sim::Schedule::interleaved;
  to.chunks = plan.pipeline_parallel * (interleaved ? plan.virtual_stages : 1);
  to.chunk_layers = quotient(facts.layers, to.chunks);
  to.chunk_layers_less = quotient(facts.layers + 2, to.chunks);
}

Derived derived_of(const scenarios::Scenario& scenario, const sim::Plan& plan) {
  const scenarios::SpaceFacts& facts = scenario.space.facts();
  const sim::Cluster cluster = sim::cluster_of(plan, scenario.cluster);
  Derived derived;
  add_nodes(derived, cluster);
  add_sharding(derived, facts.kind, plan);
  derived.whole_layers = sim::recomputes_whole_layers(plan);
  if (plan.recompute == sim::Recompute::every_k) derived.recompute_every = plan.recompute_every;
  if (scenarios::is_transformer(facts.kind)) {
    add_ranks(derived, scenario, plan, cluster);
    add_batch(derived, plan, facts);
    add_layers(derived, plan, facts);
  } else {
    derived.group_gpus = quotient(cluster.gpus, plan.embedding_groups);
  }
  return derived;
}

}  // namespace

PlanFacts::PlanFacts(const scenarios::Scenario& scenario, const sim::Plan& plan)
    : kind_(scenario.space.facts().kind) {
  scenarios::ConstraintSlots slots = scenarios::constraint_slots(plan, scenario.space.facts());
  scenarios::derive_counts(slots);
  const std::size_t named = names().size() - derived_facts.size();
  values_.assign(slots.begin(), slots.begin() + static_cast<std::ptrdiff_t>(named));
  const Derived derived = derived_of(scenario, plan);
  for (const DerivedFact& fact : derived_facts) values_.push_back(derived.*fact.value);
}

std::span<const std::string_view> PlanFacts::names() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> list = scenarios::constraint_names();
    std::ranges::transform(derived_facts, std::back_inserter(list), &DerivedFact::name);
    return list;
  }();
  return all;
}

std::string PlanFacts::text(std::size_t slot) const {
  if (slot >= scenarios::setting_count) return std::to_string(values_[slot]);
  return scenarios::format_setting(scenarios::settings()[slot], values_[slot]);
}

}  // namespace cubicbench::search
