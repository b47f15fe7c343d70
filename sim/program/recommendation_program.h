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

namespace cubicbench::sim {

/// The blocks of a dense arch.
enum class ArchBlock : std::uint8_t {
  projection_forward,
  layer_forward,
  layer_recompute,
  layer_backward,
  projection_backward,
};
inline constexpr int arch_block_count = 5;

/// The blocks of the sparse side, of the busiest rank each.
enum class EmbeddingBlock : std::uint8_t {
  input,              ///< the batch to the device, its ids to the tables' owners
  lookup,             ///< rows read and pooled
  exchange_forward,   ///< pooled rows to the ranks whose samples they are
  exchange_backward,  ///< their gradients back, and those of replicated tables reduced
  update,             ///< rows read again, and written by the fused optimizer
};
inline constexpr int embedding_block_count = 5;

/// A module group: its layers, and how its weights are sharded.
struct ArchRun {
  std::array<Block, arch_block_count> blocks{};
  double layers = 0.0;
  double recomputed_layers = 0.0;
  WeightGroups groups;
  WeightTraffic traffic;
  WeightUnits weights;
  double optimizer_shards = 1.0;

  const Block& operator[](ArchBlock id) const { return blocks[static_cast<std::size_t>(id)]; }
};

/// One training step of a recommendation model in one configuration, before anything has a time.
struct RecommendationProgram {
  std::vector<Operation> operations;
  std::array<Block, embedding_block_count> embedding{};
  ArchRun dense;
  ArchRun over;
  TableSharding sharding;
  std::array<EmbeddingVolume, table_groups_max> volumes{};  ///< of one shard of each table group
  AllocationTable allocations;                              ///< a holder a class of ranks
  Group world;
  double communicators = 1.0;
  double optimizer_bytes_per_parameter = 0.0;

  const Block& operator[](EmbeddingBlock id) const {
    return embedding[static_cast<std::size_t>(id)];
  }
};

}  // namespace cubicbench::sim
