#include "sim/engine/itemised/step_item.h"

#include "sim/base/check.h"

namespace cubicbench::sim {
namespace {

constexpr std::array<StepPart, step_item_count> terms{
    StepPart::gemm,
    StepPart::attention,
    StepPart::memory_bound,
    StepPart::head_and_loss,
    StepPart::recompute,
    StepPart::host,
    StepPart::tensor_communication,
    StepPart::context_communication,
    StepPart::pipeline_communication,
    StepPart::data_communication,
    StepPart::data_communication,
    StepPart::pipeline_bubble,
    StepPart::optimizer,
    StepPart::allocator_retries,
    StepPart::stragglers,
    StepPart::embedding_lookup,
    StepPart::embedding_lookup,
    StepPart::embedding_communication,
    StepPart::embedding_communication,
    StepPart::embedding_communication,
    StepPart::input,
    StepPart::embedding_host,
    StepPart::embedding_fixed,
    StepPart::expert_communication,
    StepPart::expert_storage,
};

}  // namespace

StepPart part_of(StepItem term) { return terms[static_cast<std::size_t>(term)]; }

StepItem item_of(StepPart part) {
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms[i] == part) return static_cast<StepItem>(i);
  }
  SIM_ASSERT(false, static_cast<int>(part));
  return {};
}

}  // namespace cubicbench::sim
