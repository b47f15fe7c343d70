#include "sim/program/embedding_volume.h"

#include <algorithm>

namespace cubicbench::sim {
namespace {

constexpr double batched_copy_factor = 2.455;

/// One shard's accesses in a step, on one rank.
struct Accesses {
  double draws = 0.0;
  double distinct = 0.0;  ///< rows
  double asked = 1.0;     ///< of the ids of a rank's batch, those that it asks for
};

/// Bytes that sorting one id moves, a position of 8 bytes beside it: eight bits at a time, each
/// pass reads and writes both, and ids are read once more to be counted [Onesweep22, section 3].
constexpr double sorted_id = id_bytes + 2.0 * 8.0 * (id_bytes + 8.0);

Accesses accesses_of(const TableShards& shards, const Plan& plan, const TableSharding& sharding) {
  const double own = shards.pooling * real(plan.batch_per_gpu);
  if (shards.layout == TableLayout::replicated) {
    return {.draws = own, .distinct = distinct_rows(shards.access, own)};
  }
  const double ranks = real(shard_ranks(shards.layout, sharding));
  const double all = own * real(sharding.ranks);
  const double parts = real(shards.parts);
  const bool once = plan.index_dedup && !shards.pooled && own > 0.0;
  const double asked = once ? distinct_rows(shards.access, own * parts) / (own * parts) : 1.0;
  return {.draws = asked * all / ranks,
          .distinct = distinct_rows(shards.access, all * parts) / (parts * ranks),
          .asked = asked};
}

/// Bytes of one distinct row that an update reads and writes again, with its state.
double updated_row(const TableShards& shards, const Plan& plan, double width) {
  const double state = shard_state(shards, plan) / real(shards.rows);
  return 2.0 * (width * shards.element_bytes + state);
}

/// What goes through device memory and over the host link.
void add_rows(const TableShards& shards, const Plan& plan, const Accesses& accesses,
              EmbeddingVolume& volume) {
  const double width = row_width(shards);
  const double read = accesses.draws * width * shards.element_bytes;
  const double gradients = accesses.draws * width * wire_bytes(plan.backward_comm_dtype);
  const double update = accesses.distinct * updated_row(shards, plan, width);
  volume.rows = Bytes{read};
  volume.updated = Bytes{gradients + update};
  if (shards.kernel == EmbeddingKernel::uvm) {
    volume.rows = {};
    volume.updated = Bytes{gradients};
    volume.fetched = Bytes{read + update};
  } else if (shards.kernel == EmbeddingKernel::uvm_caching) {
    // No more than the rows that are not cached; they are written and read on the device, too.
    const double uncached = (1.0 - device_share(shards, plan)) * real(shards.rows);
    const double missed = std::min({shards.misses * accesses.draws, accesses.distinct, uncached});
    volume.fetched = Bytes{missed * updated_row(shards, plan, width)};
    volume.rows += volume.fetched;
  }
}

/// Where a rank asks for each row once: its ids are sorted, rows that come are repeated for each id
/// that asked, and their gradients summed.
void add_dedup(const TableShards& shards, const Plan& plan, double asked, EmbeddingVolume& volume) {
  const double ids = real(plan.batch_per_gpu) * shards.pooling;
  const double elements = (1.0 + asked) * real(plan.batch_per_gpu) * output_width(shards);
  volume.unique = Bytes{sorted_id * ids + elements * wire_bytes(plan.forward_comm_dtype)};
  volume.summed = Bytes{elements * wire_bytes(plan.backward_comm_dtype)};
}

}  // namespace

EmbeddingVolume embedding_volume(const TableShards& shards, const Plan& plan,
                                 const TableSharding& sharding) {
  const double b = real(plan.batch_per_gpu);
  const double w = real(sharding.ranks);
  const double r = real(sharding.node_ranks);
  const Accesses accesses = accesses_of(shards, plan, sharding);
  const double sent = accesses.asked * b * output_width(shards);
  const Bytes forward{sent * wire_bytes(plan.forward_comm_dtype)};
  const Bytes backward{sent * wire_bytes(plan.backward_comm_dtype)};
  EmbeddingVolume volume;
  volume.asked = accesses.asked;
  volume.ids = Bytes{id_bytes * accesses.draws};
  add_rows(shards, plan, accesses, volume);
  volume.held = Bytes{device_share(shards, plan) * shard_weights(shards, plan)};
  switch (shards.layout) {
    case TableLayout::whole:
      volume.sent_forward = w * forward;
      volume.sent_backward = w * backward;
      break;
    case TableLayout::by_node_rows:
      // Where that is all ranks, each has its own samples' rows once they are scattered.
      if (w > r || !shards.pooled) {
        volume.sent_forward = (w / r) * forward;
        volume.sent_backward = (w / r) * backward;
      }
      if (shards.pooled) {
        volume.node_forward = w * forward;
        volume.node_backward = w * backward;
      }
      break;
    case TableLayout::by_rows:
      if (shards.pooled) {
        volume.scattered = w * forward;
        volume.gathered = w * backward;
        volume.copied = batched_copy_factor * volume.gathered;
      } else {
        volume.sent_forward = forward;
        volume.sent_backward = backward;
      }
      break;
    case TableLayout::replicated:
      volume.reduced = Bytes{shard_weights(shards, plan)};
      volume.held = {};
      return volume;
  }
  if (plan.index_dedup && !shards.pooled) add_dedup(shards, plan, accesses.asked, volume);
  if (volume.sent_forward.value > 0.0) {
    volume.received_forward = forward;
    volume.received_backward = backward;
  }
  if (sharding.copies > 1) {
    const double whole = shard_weights(shards, plan) + shard_state(shards, plan);
    volume.averaged = Bytes{whole};
    volume.averaged_host = Bytes{2.0 * (1.0 - device_share(shards, plan)) * whole};
  }
  return volume;
}

Bytes lookup_traffic(const TableShards& shards, const Plan& plan, const EmbeddingVolume& volume) {
  const Bytes output =
      shards.layout == TableLayout::replicated
          ? Bytes{real(plan.batch_per_gpu) * output_width(shards) * shards.element_bytes}
          : std::max({volume.sent_forward, volume.node_forward, volume.scattered},
                     [](Bytes a, Bytes b) { return a.value < b.value; });
  return row_penalty(shards) * (volume.ids + volume.rows + output);
}

Bytes update_traffic(const TableShards& shards, const EmbeddingVolume& volume) {
  return row_penalty(shards) * (volume.ids + volume.updated);
}

}  // namespace cubicbench::sim
