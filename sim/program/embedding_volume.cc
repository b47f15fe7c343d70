#include "sim/program/embedding_volume.h"

#include <algorithm>

#include "sim/base/real.h"

namespace cubicbench::sim {
namespace {

constexpr double row_width_min = 32.0;  // a narrower row of a whole table costs as much
constexpr double batched_copy_factor = 2.455;

double weights_of(const TableShards& shards) { return real(shards.rows) * real(shards.width); }

double block_penalty(std::int64_t width) {
  constexpr double half_block = 1.15;
  constexpr double quarter_block = 1.75;
  return width >= 128 ? 1.0 : width >= 64 ? half_block : quarter_block;
}

}  // namespace

EmbeddingVolume embedding_volume(const TableShards& shards, const Plan& plan, std::int64_t ranks) {
  const double b = real(plan.batch_per_gpu);
  const double w = real(ranks);
  const double d = real(shards.width);
  const double element = storage_bytes(plan.embedding_dtype);
  const double ids = shards.pooling * b;
  const Bytes forward{b * w * d * wire_bytes(plan.forward_comm_dtype)};
  const Bytes backward{b * w * d * wire_bytes(plan.backward_comm_dtype)};
  switch (shards.layout) {
    case TableLayout::whole:
      return {.ids = Bytes{id_bytes * ids * w},
              .forward = forward,
              .backward = backward,
              .rows = Bytes{ids * w * std::max(d, row_width_min) * element},
              .copied = {},
              .reduced = {}};
    case TableLayout::by_rows:
      return {.ids = Bytes{id_bytes * ids},
              .forward = forward,
              .backward = backward,
              .rows = Bytes{ids * d * element},
              .copied = batched_copy_factor * backward,
              .reduced = {}};
    case TableLayout::replicated:
      return {.ids = Bytes{id_bytes * ids},
              .forward = {},
              .backward = {},
              .rows = Bytes{ids * d * element},
              .copied = {},
              .reduced = Bytes{weights_of(shards) * element}};
  }
  return {};
}

Bytes lookup_traffic(const TableShards& shards, const Plan& plan, const EmbeddingVolume& volume) {
  const Bytes moved = volume.ids + volume.rows;
  switch (shards.layout) {
    case TableLayout::whole:
      return block_penalty(shards.width) * (moved + volume.forward);
    case TableLayout::by_rows:
      return moved + volume.forward;
    case TableLayout::replicated:
      return moved + Bytes{real(plan.batch_per_gpu) * real(shards.width) *
                           storage_bytes(plan.embedding_dtype)};
  }
  return {};
}

Bytes embedding_weights(const TableShards& shards, const Plan& plan) {
  return Bytes{weights_of(shards) * storage_bytes(plan.embedding_dtype)};
}

Bytes embedding_state(const TableShards& shards, const Plan& plan) {
  switch (plan.embedding_optimizer) {
    case Optimizer::sgd:
      return {};
    case Optimizer::adam:
    case Optimizer::adamw:
      return Bytes{8.0 * weights_of(shards)};
    case Optimizer::rowwise_adagrad:
      return Bytes{4.0 * real(shards.rows)};
  }
  return {};
}

}  // namespace cubicbench::sim
