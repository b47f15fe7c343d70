#pragma once

#include "sim/base/units.h"
#include "sim/plan/plan.h"
#include "sim/plan/table_sharding.h"

namespace cubicbench::sim {

/// Of one id, on the wire and in memory.
inline constexpr double id_bytes = 8.0;

/// What one shard moves in a step [TorchRec, shard_estimators; docs/models.md, Table R-2]. Of
/// shards on one rank or node these are the bytes of each rank that holds a part, of others those
/// of every rank. Directions: rows forward, their gradients backward.
struct EmbeddingVolume {
  double asked = 1.0;      ///< of the ids of a rank's batch, those that it asks for
  Bytes ids;               ///< that the rank looks up
  Bytes sent_forward;      ///< in an all-to-all
  Bytes sent_backward;     ///< as many as come back
  Bytes received_forward;  ///< of that all-to-all, by every rank
  Bytes received_backward;
  Bytes node_forward;   ///< reduced and scattered in the node, before the all-to-all
  Bytes node_backward;  ///< gathered there
  Bytes scattered;      ///< reduced and scattered over all ranks
  Bytes gathered;
  Bytes rows;           ///< read from device memory by a lookup
  Bytes updated;        ///< gradients and rows in device memory, read and written by the update
  Bytes fetched;        ///< rows over the host link, to the device and back
  Bytes copied;         ///< in device memory after the backward exchange (by rows)
  Bytes unique;         ///< where the rank asks once for each row: ids sorted, rows repeated
  Bytes summed;         ///< and gradients of one row summed before they are sent
  Bytes reduced;        ///< gradient of a replica, the whole table
  Bytes averaged;       ///< weights of one of several copies
  Bytes averaged_host;  ///< of them over the host link, to the device and back
  Bytes held;           ///< weights in device memory, of all but replicas
};

/// Reads batch and types of `plan`.
EmbeddingVolume embedding_volume(const TableShards& shards, const Plan& plan,
                                 const TableSharding& sharding);

/// Device-memory traffic of one forward lookup of a shard with that volume: ids, rows and pooled
/// output (a replica's in the type of the table). Times the penalty of
/// narrow rows.
Bytes lookup_traffic(const TableShards& shards, const Plan& plan, const EmbeddingVolume& volume);

/// That of the backward pass, with the fused update: ids and gradients of pooled rows as often as
/// ids ask for them, and every distinct row once, read and written with its state.
Bytes update_traffic(const TableShards& shards, const EmbeddingVolume& volume);

}  // namespace cubicbench::sim
