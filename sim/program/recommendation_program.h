#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/network/collective.h"
#include "sim/plan/table_sharding.h"
#include "sim/program/allocation_table.h"
#include "sim/program/embedding_volume.h"
#include "sim/program/operation.h"
#include "sim/program/weights.h"
#include "sim/workload/arch_work.h"

namespace cubicbench::sim {

/// The blocks of the sparse side, of the busiest rank each.
enum class EmbeddingBlock : std::uint8_t {
  input,              ///< the batch to the device, its ids to the tables' owners
  ahead,              ///< what of the next batch's lookup runs beside this step
  fetch,              ///< rows that the device's cache lacks, or that it does not hold at all
  lookup,             ///< rows read and pooled, after ids are sorted
  exchange_forward,   ///< pooled rows to the ranks whose samples they are
  exchange_backward,  ///< their gradients back, and those of replicated tables reduced
  update,             ///< rows written by the fused optimizer
  average,            ///< copies of the tables made equal, in 2D plans
};
inline constexpr int embedding_block_count = 8;

/// A module group: its layers, and how its weights are sharded.
struct ArchRun {
  Block entry_forward;
  LayerPasses<Block> layer;
  Block entry_backward;
  double layers = 0.0;  ///< 0: the model has no such group
  double recomputed_layers = 0.0;
  WeightGroups groups;
  WeightTraffic traffic;
  WeightUnits weights;
  double optimizer_shards = 1.0;
};

/// Bytes that the tables of one class of ranks take, and the tensors of a step that they cause.
struct TableMemory {
  double weights = 0.0;
  double rows = 0.0;      ///< of them
  double elements = 0.0;  ///< numbers in these rows
  double state = 0.0;
  double gradients = 0.0;  ///< of replicas, which are dense
  double ids = 0.0;        ///< received, of one batch
  double pooled_forward = 0.0;
  double pooled_backward = 0.0;
};

struct HeldMemory {
  std::int64_t first = 0;  ///< rank that stands for the class
  TableMemory tables;
};

/// What a rank moves for all tables together.
struct EmbeddingTraffic : EmbeddingVolume {
  Bytes lookup;
  Bytes update;
};

/// What a batch makes of tables that are placed, whenever a step does it.
struct TableLoad {
  EmbeddingTraffic traffic;      ///< of the busiest rank, kind by kind
  std::vector<HeldMemory> held;  ///< of each class of ranks that may need most
};

/// One training step of a recommendation model in one configuration, before anything has a time.
struct RecommendationProgram {
  std::vector<Operation> operations;
  std::array<Block, embedding_block_count> embedding{};
  std::array<ArchWork, module_group_count> works{};
  std::array<ArchRun, module_group_count> archs{};
  TableSharding sharding;
  std::vector<EmbeddingVolume> volumes;   ///< of one shard of each table group
  AllocationTable dense_allocations;      ///< of every rank, beside its tables: one holder
  AllocationTable table_allocations;      ///< a holder each class of ranks that may need most
  AllocationTable allocations;            ///< of those classes, all that they allocate
  std::vector<TableMemory> shard_memory;  ///< of one shard of each table group
  TableLoad load;
  Group world;
  Group tables;                      ///< the ranks of one copy of the tables
  Group node;                        ///< those of them on one node
  Group copies;                      ///< the ranks that hold the same shards
  double dense_communicators = 1.0;  ///< the world's among them
  double table_communicators = 0.0;
  double optimizer_bytes_per_parameter = 0.0;

  const Block& operator[](EmbeddingBlock id) const {
    return embedding[static_cast<std::size_t>(id)];
  }
  double communicators() const { return dense_communicators + table_communicators; }
  const ArchRun& operator[](ModuleGroup id) const { return archs[static_cast<std::size_t>(id)]; }

  /// The ranks that a stream's collectives are among.
  const Group& group_of(Stream stream) const {
    return stream == Stream::embedding_world    ? world
           : stream == Stream::embedding_node   ? node
           : stream == Stream::embedding_copies ? copies
                                                : tables;
  }
};

/// How the weights of a module group are sharded.
Sharding sharding_of(const Plan& plan, ModuleGroup group);

}  // namespace cubicbench::sim
