#pragma once

#include <cstdint>

#include "sim/base/units.h"
#include "sim/plan/plan.h"
#include "sim/plan/table_sharding.h"

namespace cubicbench::sim {

/// Of one id, on the wire and in memory.
inline constexpr double id_bytes = 8.0;

/// What one shard moves in a step, as TorchRec's planner estimates it [TorchRec, shard_estimators;
/// docs/models.md, Table R-2]. With b samples a rank, W ranks, p ids a sample, D elements a row of
/// the shard, k bytes an element on the wire and e in the table:
///
///            ids held   exchanged forward    exchanged backward   rows read
///   whole    p b W      all-to-all b W D k   the same             p b W max(D, 32) e
///   by rows  p b        red.-scatter b W D k all-gather of it     p b D e
///   replica  p b        nothing              all-reduce of table  p b D e
struct EmbeddingVolume {
  Bytes ids;       ///< 8 a piece, that the rank looks up
  Bytes forward;   ///< pooled rows that leave the rank; what is reduced when by rows
  Bytes backward;  ///< gradients that come back
  Bytes rows;      ///< of the table, read by a forward lookup
  Bytes copied;    ///< in device memory after the backward exchange (by rows)
  Bytes reduced;   ///< gradient of a replica, the whole table
};

/// `ranks` = W; reads batch and types of `plan`.
EmbeddingVolume embedding_volume(const TableShards& shards, const Plan& plan, std::int64_t ranks);

/// Device-memory traffic of one forward lookup of a shard with that volume: ids, rows and pooled
/// output (a replica's in the type of the table). Of whole shards times the penalty of rows
/// narrower than a block: 1.15 below 128 elements, 1.75 below 64 [TorchRec, planner constants]. The
/// backward pass, which updates the rows, moves twice as much.
Bytes lookup_traffic(const TableShards& shards, const Plan& plan, const EmbeddingVolume& volume);

/// Bytes of one shard's optimizer state: Adam two fp32 moments a weight, row-wise Adagrad one fp32
/// a row, SGD none.
Bytes embedding_state(const TableShards& shards, const Plan& plan);

/// Bytes of one shard's weights.
Bytes embedding_weights(const TableShards& shards, const Plan& plan);

}  // namespace cubicbench::sim
