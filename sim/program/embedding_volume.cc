#include "sim/program/embedding_volume.h"

#include <algorithm>

namespace cubicbench::sim {
namespace {

constexpr double batched_copy_factor = 2.455;

/// One shard's accesses in a step, on one rank.
struct Accesses {
  double draws = 0.0;
  double distinct = 0.0;  ///< rows
};

Accesses accesses_of(const TableShards& shards, const Plan& plan, const TableSharding& sharding) {
  const double own = shards.pooling * real(plan.batch_per_gpu);
  if (shards.layout == TableLayout::replicated) {
    return {.draws = own, .distinct = distinct_rows(shards.access, own)};
  }
  const double ranks = real(shard_ranks(shards.layout, sharding));
  const double all = own * real(sharding.ranks);
  const double parts = real(shards.parts);
  return {.draws = all / ranks,
          .distinct = distinct_rows(shards.access, all * parts) / (parts * ranks)};
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

}  // namespace

EmbeddingVolume embedding_volume(const TableShards& shards, const Plan& plan,
                                 const TableSharding& sharding) {
  const double b = real(plan.batch_per_gpu);
  const double w = real(sharding.ranks);
  const double r = real(sharding.node_ranks);
  const Bytes forward{b * output_width(shards) * wire_bytes(plan.forward_comm_dtype)};
  const Bytes backward{b * output_width(shards) * wire_bytes(plan.backward_comm_dtype)};
  const Accesses accesses = accesses_of(shards, plan, sharding);
  EmbeddingVolume volume;
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
