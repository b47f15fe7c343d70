#pragma once

#include <string_view>

#include "sim/workload/workload.h"

namespace cubicbench::scenarios {

/// Which alternative of `sim::Workload` a scenario trains.
enum class WorkloadKind { transformer, recommendation };

constexpr WorkloadKind kind_of(const sim::Workload& workload) {
  return std::holds_alternative<sim::Recommendation>(workload) ? WorkloadKind::recommendation
                                                               : WorkloadKind::transformer;
}

/// "a transformer", "a recommendation model": what a scenario of this kind trains.
constexpr std::string_view phrase_of(WorkloadKind kind) {
  return kind == WorkloadKind::transformer ? "a transformer" : "a recommendation model";
}

}  // namespace cubicbench::scenarios
