#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "scenarios/space/constraint.h"
#include "scenarios/space/setting.h"
#include "search/launch/plan_facts.h"
#include "support/json/object_reader.h"

namespace cubicbench::search {

/// What must hold of a plan: settings that have one of some values, as a scenario's `when` has
/// them, and a constraint over the names of PlanFacts. Without either it always holds.
struct PlanCondition {
  struct OneOf {
    const scenarios::Setting* setting = nullptr;
    std::vector<std::int64_t> codes;
  };
  std::vector<OneOf> when;
  std::optional<scenarios::Expression> require;

  bool holds(const PlanFacts& facts) const;
  bool is_always() const { return when.empty() && !require; }
};

/// Reads the members `when` and `require`, both optional.
PlanCondition read_plan_condition(support::ObjectReader& in);

}  // namespace cubicbench::search
