#include "sim/truth/exposed_communication.h"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace cubicbench::sim {
namespace {

constexpr std::int64_t whole_cluster = std::numeric_limits<std::int64_t>::max();

/// Consecutive ranks that the traffic of `part` stays among; 0 when the part is no communication.
/// No default, so that the compiler asks where a new part belongs.
std::int64_t ranks_reached(StepPart part, const Plan& plan) {
  switch (part) {
    case StepPart::gemm:
    case StepPart::attention:
    case StepPart::memory_bound:
    case StepPart::head_and_loss:
    case StepPart::recompute:
    case StepPart::host:
    case StepPart::pipeline_bubble:
    case StepPart::optimizer:
    case StepPart::allocator_retries:
    case StepPart::stragglers:
    case StepPart::embedding_lookup:
    case StepPart::embedding_host:
    case StepPart::embedding_fixed:
    case StepPart::expert_storage:
      return 0;
    case StepPart::tensor_communication:
      return plan.tensor_parallel;
    case StepPart::context_communication:
      return plan.tensor_parallel * plan.context_parallel;
    case StepPart::expert_communication:  // ranks that share experts lie side by side
      return plan.expert_parallel * plan.expert_tensor_parallel;
    case StepPart::pipeline_communication:
    case StepPart::data_communication:
    case StepPart::embedding_communication:
    case StepPart::input:  // the exchange of ids; the copy from the host is the smaller part
      return whole_cluster;
  }
  return 0;
}

}  // namespace

Seconds exposed_between_nodes(const StepReport& report, const Plan& plan, const Cluster& cluster) {
  Seconds sum;
  if (cluster.gpus <= cluster.gpus_per_node) return sum;
  for (std::size_t i = 0; i < report.parts.size(); ++i) {
    if (ranks_reached(static_cast<StepPart>(i), plan) > cluster.gpus_per_node) {
      sum += report.parts[i];
    }
  }
  return sum;
}

}  // namespace cubicbench::sim
