#include "sim/program/lower_recommendation.h"

#include <algorithm>
#include <cmath>

#include "sim/network/placement.h"
#include "sim/program/arch_writer.h"
#include "sim/program/embedding_writer.h"
#include "sim/program/recommendation_allocations.h"

namespace cubicbench::sim {
namespace {

void lower_arch(const ArchWork& work, Sharding sharding, const Plan& plan, const Cluster& cluster,
                const Stack& stack, RecommendationProgram& program, ArchRun& run) {
  run.layers = work.layers;
  run.recomputed_layers = plan.recompute == Recompute::none ? 0.0
                          : plan.recompute == Recompute::every_k
                              ? std::floor(run.layers / real(plan.recompute_every))
                              : run.layers;
  run.groups = weight_groups(program.world, sharding, plan, cluster);
  run.traffic = weight_traffic(sharding, plan, run.groups);
  run.weights =
      weight_units(run.traffic, plan, run.layers, work.layer.parameters, work.entry.parameters);
  run.optimizer_shards = optimizer_shards(sharding, run.groups);
  write_arch(work, plan, stack, program, run);
}

/// The groups that tables are exchanged among; those of one copy are `copies` ranks apart.
void place_groups(const Cluster& cluster, RecommendationProgram& program) {
  const TableSharding& sharding = program.sharding;
  program.tables = placed({sharding.ranks, sharding.node_ranks}, sharding.copies, cluster);
  program.node = placed({sharding.node_ranks, sharding.node_ranks}, sharding.copies, cluster);
  const std::int64_t together =
      std::min<std::int64_t>(sharding.copies, std::min(cluster.gpus, cluster.gpus_per_node));
  program.copies = placed({sharding.copies, together}, 1, cluster);
}

/// The world's, that of the tables, and two for hybrid modes.
double dense_communicators(const RecommendationProgram& program, const Plan& plan,
                           std::int64_t ranks) {
  if (ranks == 1) return 1.0;
  for (std::size_t i = 0; i < module_group_count; ++i) {
    const auto group = static_cast<ModuleGroup>(i);
    if (program[group].layers > 0.0 && shards_in_groups(sharding_of(plan, group))) return 4.0;
  }
  return 2.0;
}

void place_world(const Cluster& cluster, RecommendationProgram& program) {
  program.world = placed({cluster.gpus, std::min(cluster.gpus, cluster.gpus_per_node)}, 1, cluster);
}

}  // namespace

Sharding sharding_of(const Plan& plan, ModuleGroup group) {
  switch (group) {
    case ModuleGroup::dense:
      return plan.dense_sharding;
    case ModuleGroup::sequence:
      return plan.sequence_sharding;
    case ModuleGroup::interaction:
      return plan.interaction_sharding;
    case ModuleGroup::over:
      return plan.over_sharding;
  }
  return Sharding::no_shard;
}

Bytes resident_bytes(const RecommendationProgram& program, const Plan& plan) {
  const double parameter = plan.optimizer == Optimizer::sgd ? 8.0 : 16.0;
  double bytes = 0.0;
  for (const ArchRun& run : program.archs) {
    if (run.layers > 0.0) bytes += parameter * run.weights.parameters / run.optimizer_shards;
  }
  return Bytes{bytes};
}

void lower_dense(const Recommendation& model, const Plan& plan, const Cluster& cluster,
                 const Stack& stack, RecommendationProgram& program) {
  program.operations.clear();
  place_world(cluster, program);
  program.optimizer_bytes_per_parameter = optimizer_traffic(plan);
  for (std::size_t i = 0; i < module_group_count; ++i) {
    const auto group = static_cast<ModuleGroup>(i);
    program.works[i] = arch_work(model, group);
    lower_arch(program.works[i], sharding_of(plan, group), plan, cluster, stack, program,
               program.archs[i]);
  }
  program.dense_communicators = dense_communicators(program, plan, cluster.gpus);
  add_dense_allocations(plan, stack, program);
}

void lower_tables(const Recommendation& model, const Plan& plan, const Cluster& cluster,
                  const Stack& stack, Bytes resident, RecommendationProgram& program) {
  place_world(cluster, program);
  shard_tables(model, plan, cluster, resident, program.sharding);
  place_groups(cluster, program);
  program.table_communicators = cluster.gpus > 1 && plan.embedding_groups > 1 ? 2.0 : 0.0;
  program.volumes.resize(model.tables.size());
  for (std::size_t i = 0; i < model.tables.size(); ++i) {
    program.volumes[i] = embedding_volume(program.sharding.shards[i], plan, program.sharding);
  }
  write_embeddings(model, plan, stack, program);
  add_table_allocations(model, plan, program);
}

void lower(const Recommendation& model, const Plan& plan, const Cluster& cluster,
           const Stack& stack, RecommendationProgram& program) {
  lower_dense(model, plan, cluster, stack, program);
  lower_tables(model, plan, cluster, stack, resident_bytes(program, plan), program);
  join_allocations(program);
}

}  // namespace cubicbench::sim
