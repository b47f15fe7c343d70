#include "results/part_names.h"

#include <array>
#include <cstddef>

namespace cubicbench::results {
namespace {

struct Names {
  std::string_view name;
  std::string_view label;
};

constexpr std::array<Names, sim::step_part_count> step_parts{{
    {"gemm", "matrix products"},
    {"attention", "attention"},
    {"memory_bound", "memory-bound kernels"},
    {"head_and_loss", "head and loss"},
    {"recompute", "recomputation"},
    {"host", "waiting for the host"},
    {"tensor_communication", "tensor-parallel comm."},
    {"context_communication", "context-parallel comm."},
    {"pipeline_communication", "pipeline comm."},
    {"data_communication", "data-parallel comm."},
    {"pipeline_bubble", "pipeline bubble"},
    {"optimizer", "optimizer"},
}};

constexpr std::array<Names, sim::memory_part_count> memory_parts{{
    {"parameters", "parameters"},
    {"gradients", "gradients"},
    {"optimizer_state", "optimizer state"},
    {"unsharded_units", "unsharded units"},
    {"activations", "activations"},
    {"logits", "logits"},
    {"communication_buffers", "communication buffers"},
    {"workspace", "workspace"},
}};

constexpr std::array<std::string_view, 4> statuses{"ok", "oom_init", "oom_late", "invalid"};

constexpr std::array<std::string_view, sim::moment_count> moments{
    "at startup", "in the forward pass", "in the loss", "in the backward pass",
    "in the optimizer step"};

template <typename Enum>
constexpr std::size_t index(Enum value) {
  return static_cast<std::size_t>(value);
}

}  // namespace

std::string_view name_of(sim::StepPart part) { return step_parts[index(part)].name; }
std::string_view name_of(sim::MemoryPart part) { return memory_parts[index(part)].name; }
std::string_view name_of(sim::StepStatus status) { return statuses[index(status)]; }
std::string_view label_of(sim::StepPart part) { return step_parts[index(part)].label; }
std::string_view label_of(sim::MemoryPart part) { return memory_parts[index(part)].label; }
std::string_view phrase_of(sim::Moment moment) { return moments[index(moment)]; }

}  // namespace cubicbench::results
