#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/base/check.h"
#include "sim/plan/plan.h"

namespace cubicbench::sim {

/// Two settings in one word. Requires whole numbers in [0, 2^32), far beyond what a scenario can
/// say.
inline std::uint64_t two_settings(std::int64_t low, std::int64_t high) {
  const auto a = static_cast<std::uint64_t>(low);
  const auto b = static_cast<std::uint64_t>(high);
  SIM_ASSERT((a | b) >> 32 == 0, low, high);
  return a | (b << 32);
}

/// Choices side by side in one word, of at most 16 values each.
template <typename... Values>
std::uint64_t packed_choices(Values... choices) {
  static_assert(sizeof...(Values) <= 16);
  std::uint64_t word = 0;
  ((word = word << 4 | static_cast<std::uint64_t>(choices)), ...);
  return word;
}

/// The settings of a plan that transformers read, packed to be compared and looked up quickly:
/// two plans have one key exactly if they agree in all of these. The key of no plan is zero.
class PlanKey {
 public:
  PlanKey() = default;

  explicit PlanKey(const Plan& plan)
      : words_{two_settings(plan.tensor_parallel, plan.pipeline_parallel),
               two_settings(plan.context_parallel, plan.expert_parallel),
               two_settings(plan.expert_tensor_parallel, plan.data_parallel),
               two_settings(plan.global_batch, plan.micro_batch),
               two_settings(plan.virtual_stages, plan.shard_group),
               two_settings(plan.wrap, plan.reshard_after_forward),
               two_settings(both(plan.recompute_every, layer_choices(plan)),
                            both(plan.expert_cache_thousandths, plan.ulysses_degree)),
               choices(plan)} {}

  bool operator==(const PlanKey&) const = default;

  /// Its highest bits are mixed best.
  std::uint64_t hash() const {
    constexpr std::uint64_t golden = 0x9e37'79b9'7f4a'7c15;  // 2^64 over the golden ratio
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t product = words_[i] * (golden + 0x2468'acf2ULL * i);
      sum += product ^ (product >> 32);
    }
    return sum * golden;
  }

 private:
  static constexpr unsigned gpus_bits = 24;

  /// Two small settings in one. Requires whole numbers in [0, 2^16).
  static std::int64_t both(std::int64_t low, std::int64_t high) {
    SIM_ASSERT((low | high) >> 16 == 0, low, high);
    return low | (high << 16);
  }

  /// For which the other choices leave no room.
  static std::int64_t layer_choices(const Plan& plan) {
    return static_cast<std::int64_t>(
        packed_choices(plan.context_exchange, plan.context_load_balance, plan.quantize_base));
  }

  /// The GPU count, then the choices one after the other, each in as many bits as its values take:
  /// 39 in all.
  static std::uint64_t choices(const Plan& plan) {
    SIM_ASSERT(plan.gpus >= 0 && plan.gpus < std::int64_t{1} << gpus_bits, plan.gpus);
    auto packed = static_cast<std::uint64_t>(plan.gpus);
    const auto add = [&](unsigned bits, auto choice) {
      packed = (packed << bits) | static_cast<std::uint64_t>(choice);
    };
    add(4, plan.schedule);
    add(2, plan.expert_dispatch);
    add(2, plan.expert_storage);
    add(3, plan.sharding);
    add(2, plan.backward_prefetch);
    add(3, plan.dtype);
    add(3, plan.param_dtype);
    add(3, plan.reduce_dtype);
    add(3, plan.optimizer);
    add(2, plan.offload);
    add(4, plan.recompute);
    for (const bool flag : {plan.sequence_parallel, plan.async_tensor_parallel, plan.expert_overlap,
                            plan.expert_prefetch, plan.forward_prefetch, plan.limit_all_gathers,
                            plan.accumulate_without_sync, plan.compile}) {
      add(1, flag);
    }
    return packed;
  }

  std::array<std::uint64_t, 8> words_{};
};

}  // namespace cubicbench::sim
