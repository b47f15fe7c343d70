#include "sim/engine/recommendation_keys.h"

#include <bit>

#include "sim/base/check.h"

namespace cubicbench::sim {
namespace {

/// Choices side by side in one word.
class Packed {
 public:
  template <typename Value>
  Packed& add(Value value) {
    word_ = word_ << 4 | static_cast<std::uint64_t>(value);
    return *this;
  }
  std::uint64_t word() const { return word_; }

 private:
  std::uint64_t word_ = 0;
};

std::uint64_t two(std::int64_t low, std::int64_t high) {
  const auto a = static_cast<std::uint64_t>(low);
  const auto b = static_cast<std::uint64_t>(high);
  SIM_ASSERT((a | b) >> 32 == 0, low, high);
  return a | b << 32;
}

}  // namespace

DenseKey dense_key(const Plan& plan) {
  Packed choices;
  choices.add(plan.dense_sharding).add(plan.sequence_sharding).add(plan.interaction_sharding);
  choices.add(plan.over_sharding).add(plan.backward_prefetch).add(plan.dtype);
  choices.add(plan.param_dtype).add(plan.reduce_dtype).add(plan.optimizer).add(plan.offload);
  choices.add(plan.recompute).add(plan.forward_prefetch).add(plan.limit_all_gathers);
  choices.add(plan.compile);
  return {two(plan.batch_per_gpu, plan.shard_group), two(plan.reshard_after_forward, plan.wrap),
          two(plan.recompute_every, 0), choices.word()};
}

TableKey table_key(const Plan& plan, Bytes resident) {
  Packed choices;
  choices.add(plan.embedding_plan).add(plan.embedding_kernel).add(plan.embedding_dtype);
  choices.add(plan.embedding_optimizer).add(plan.forward_comm_dtype).add(plan.backward_comm_dtype);
  choices.add(plan.input_pipeline).add(plan.param_dtype);
  return {two(plan.batch_per_gpu, plan.embedding_groups),
          two(plan.embedding_sync_interval, plan.embedding_cache_thousandths),
          two(plan.embedding_replicate_below_gib_thousandths, 0),
          std::bit_cast<std::uint64_t>(resident.value), choices.word()};
}

}  // namespace cubicbench::sim
