#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/space/setting.h"
#include "sim/plan/plan.h"

namespace cubicbench::scenarios {

/// Facts of the problem that constraints may name beside the settings that belong to `kind`.
struct SpaceFacts {
  WorkloadKind kind = WorkloadKind::transformer;
  std::int64_t gpus = 1;
  std::int64_t gpus_per_node = 1;
  std::int64_t layers = 1;  ///< this and those below: of transformers only
  std::int64_t sequence = 1;
  std::int64_t attention_heads = 1;
  std::int64_t kv_heads = 1;
  std::int64_t experts = 0;  ///< this and those below: of models with experts only
  std::int64_t expert_ffn_hidden = 1;

  bool operator==(const SpaceFacts&) const = default;
};

inline constexpr std::size_t fact_count = 8;

/// What a constraint reads: the code of every setting, in the order of settings(), then the facts.
/// The last fact, the GPUs of the cluster, has no name: `gpus` is the setting, and they are its
/// value where none is stated.
using ConstraintSlots = std::array<std::int64_t, setting_count + fact_count>;

/// What a constraint may name; a name's position is its slot.
std::vector<std::string_view> constraint_names();

/// Why a name that another kind of workload has means nothing to `kind`, to go on after "is a ";
/// empty where it means something.
std::string misplaced_name(std::size_t slot, WorkloadKind kind);

/// The slots of a plan and facts. A count of GPUs and a data_parallel that are not stated stay 0.
ConstraintSlots constraint_slots(const sim::Plan& plan, const SpaceFacts& facts);

/// Gives those two their values where they are not stated: all GPUs of the cluster, and
/// gpus / (tensor x pipeline x context), or 0 where that does not divide.
void derive_counts(ConstraintSlots& slots);

/// Names of the settings that a constraint which reads `slot` depends on: data_parallel is
/// derived from others. None where `slot` is a fact.
std::vector<std::string_view> settings_behind(std::size_t slot);

}  // namespace cubicbench::scenarios
