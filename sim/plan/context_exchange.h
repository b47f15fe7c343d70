#pragma once

#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"

namespace cubicbench::sim {

/// How ranks with different tokens come by each other's keys and values: as the plan says, else as
/// its software does.
constexpr ContextExchange context_exchange(const Plan& plan, const Stack& stack) {
  switch (plan.context_exchange) {
    case ContextPlan::all_gather:
      return ContextExchange::all_gather;
    case ContextPlan::p2p:
      return ContextExchange::ring;
    case ContextPlan::stack:
      break;
  }
  return stack.context;
}

}  // namespace cubicbench::sim
