#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/problem/scenario.h"
#include "sim/plan/plan.h"

namespace cubicbench::search {

/// What launchers may name of a plan: every setting, the facts of constraints
/// [scenarios/space/constraint_slots.h], and numbers that follow from both, such as `nodes` and
/// `microbatches`. Of a kind of workload that has no such thing, and where a division leaves a
/// rest, a number is 0.
class PlanFacts {
 public:
  PlanFacts(const scenarios::Scenario& scenario, const sim::Plan& plan);

  /// A name's slot is its position among these.
  static std::span<const std::string_view> names();

  /// Codes of settings, with `gpus` and `data_parallel` derived where they are not stated, then
  /// numbers. By slot.
  std::span<const std::int64_t> values() const { return values_; }

  /// As it is written on a command line.
  std::string text(std::size_t slot) const;

  scenarios::WorkloadKind kind() const { return kind_; }

 private:
  scenarios::WorkloadKind kind_;
  std::vector<std::int64_t> values_;
};

}  // namespace cubicbench::search
