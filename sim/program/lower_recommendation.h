#pragma once

#include "sim/base/units.h"
#include "sim/hardware/cluster.h"
#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/recommendation_program.h"
#include "sim/workload/recommendation.h"

namespace cubicbench::sim {

/// Writes the step of `model` under `plan` into `program`, reusing its buffers.
/// Requires check(plan, model, cluster) to pass.
void lower(const Recommendation& model, const Plan& plan, const Cluster& cluster,
           const Stack& stack, RecommendationProgram& program);

/// The two halves of that. Nothing of one changes with what only the other reads of `plan`, but
/// that tables are placed where `resident` bytes of the dense side leave room.
///
/// The first clears the operations, the second appends to them.
void lower_dense(const Recommendation& model, const Plan& plan, const Cluster& cluster,
                 const Stack& stack, RecommendationProgram& program);
void lower_tables(const Recommendation& model, const Plan& plan, const Cluster& cluster,
                  const Stack& stack, Bytes resident, RecommendationProgram& program);

// Parts of the first, for who has others already:

/// The world of `program`.
void place_world(const Cluster& cluster, RecommendationProgram& program);

/// All of `run` but its blocks: of `plan` what recomputes layers, shards weights and sends them.
void place_arch(const ArchWork& work, Sharding sharding, const Plan& plan, const Cluster& cluster,
                const Group& world, ArchRun& run);

/// The blocks of a `run` that is placed. Reads the batch, formats of products and parameters,
/// `recompute` and `compile` of `plan`, and whether `run` gathers weights for its backward pass.
void write_arch_blocks(const ArchWork& work, const Plan& plan, const Stack& stack,
                       RecommendationProgram& program, ArchRun& run);

/// Communicators that the dense side has a rank in: the world's, that of the tables, and two for
/// hybrid modes. Reads the works of `program`.
double dense_communicators(const RecommendationProgram& program, const Plan& plan,
                           std::int64_t ranks);

// Parts of the second:

/// The load of `program` for tables that are placed so. Reads the batch of `plan`, and what
/// shard_tables() reads.
void load_tables(const Recommendation& model, const Plan& plan, const TableSharding& sharding,
                 RecommendationProgram& program);

/// What follows from that load.
void finish_tables(const Recommendation& model, const Plan& plan, const Cluster& cluster,
                   const Stack& stack, const TableSharding& sharding,
                   RecommendationProgram& program);

/// Of loads: what the busiest rank moves, kind by kind; reads the volumes of `program`.
EmbeddingTraffic embedding_traffic(const Plan& plan, const TableSharding& sharding,
                                   const RecommendationProgram& program);

/// Of loads: fills the memory that the classes hold; reads the volumes of `program`.
void hold_tables(const Plan& plan, const TableSharding& sharding, RecommendationProgram& program);

/// Of what follows: appends the operations of the sparse side and fills its blocks; load and groups
/// of `program` are there.
void write_embeddings(const Recommendation& model, const Plan& plan, const Stack& stack,
                      RecommendationProgram& program);

/// Weights, gradients and state of the dense side on a rank, as the planner counts them; reads its
/// archs.
Bytes resident_bytes(const RecommendationProgram& program, const Plan& plan);
Bytes resident_bytes(const ArchRun& run, const Plan& plan);

// What the halves end with.

/// What every rank allocates over a step beside its tables [docs/models.md, section R]; the archs
/// of `program` are there.
void add_dense_allocations(const Plan& plan, const Stack& stack, RecommendationProgram& program);

// Of that, for the last holder of `table`:

/// The weights of a `run`.
void add_arch_weights(const ArchRun& run, Sharding sharding, const Plan& plan, const Stack& stack,
                      AllocationTable& table);

/// Its activations, on the rank of so many that has the longest histories.
void add_arch_activations(const ArchWork& work, double recomputed_layers, ModuleGroup group,
                          const Plan& plan, std::int64_t ranks, AllocationTable& table);

/// What no arch has a part in.
void add_dense_workspace(AllocationTable& table);

/// What each class of ranks allocates for its tables and their batch; the load of `program` is
/// there.
void add_table_allocations(const Recommendation& model, const Plan& plan, const Stack& stack,
                           RecommendationProgram& program);

/// Both together, of each class.
void join_allocations(RecommendationProgram& program);

}  // namespace cubicbench::sim
