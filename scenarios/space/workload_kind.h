#pragma once

#include <string_view>

#include "sim/workload/workload.h"

namespace cubicbench::scenarios {

/// What a scenario trains: an alternative of `sim::Workload`, transformers without experts and with
/// them told apart, since settings of experts mean nothing to the former.
enum class WorkloadKind { transformer, mixture_of_experts, recommendation };

constexpr WorkloadKind kind_of(const sim::Workload& workload) {
  const auto* const model = std::get_if<sim::Transformer>(&workload);
  if (model == nullptr) return WorkloadKind::recommendation;
  return sim::has_experts(*model) ? WorkloadKind::mixture_of_experts : WorkloadKind::transformer;
}

/// A transformer, with experts or without?
constexpr bool is_transformer(WorkloadKind kind) { return kind != WorkloadKind::recommendation; }

/// "a transformer", "a recommendation model": what a scenario of this kind trains.
constexpr std::string_view phrase_of(WorkloadKind kind) {
  switch (kind) {
    case WorkloadKind::transformer:
      return "a transformer";
    case WorkloadKind::mixture_of_experts:
      return "a mixture of experts";
    case WorkloadKind::recommendation:
      break;
  }
  return "a recommendation model";
}

}  // namespace cubicbench::scenarios
