#include "results/simulation/part_names.h"

#include <array>
#include <cstddef>

namespace cubicbench::results {
namespace {

struct Names {
  std::string_view name;
  std::string_view label;
};

constexpr std::string_view tensor_cores = "tensor cores";
constexpr std::string_view memory = "memory bandwidth";
constexpr std::string_view links = "NVLink and network";

struct StepNames : Names {
  std::string_view resource;
};

constexpr std::array<StepNames, sim::step_part_count> step_parts{{
    {{"gemm", "matrix products"}, tensor_cores},
    {{"attention", "attention"}, tensor_cores},
    {{"memory_bound", "memory-bound kernels"}, memory},
    {{"head_and_loss", "head and loss"}, tensor_cores},
    {{"recompute", "recomputation"}, tensor_cores},
    {{"host", "waiting for the host"}, "host"},
    {{"tensor_communication", "tensor-parallel comm."}, links},
    {{"context_communication", "context-parallel comm."}, links},
    {{"pipeline_communication", "pipeline comm."}, links},
    {{"data_communication", "data-parallel comm."}, links},
    {{"pipeline_bubble", "pipeline bubble"}, "other stages"},
    {{"optimizer", "optimizer"}, memory},
    {{"allocator_retries", "allocator retries"}, "memory capacity"},
    {{"stragglers", "waiting for stragglers"}, "other GPUs"},
    {{"embedding_lookup", "table lookup, update"}, memory},
    {{"embedding_communication", "embedding comm."}, links},
    {{"input", "waiting for input"}, "host link and network"},
    {{"embedding_host", "rows from the host"}, "host link"},
    {{"embedding_fixed", "sorting ids"}, "launches of small kernels"},
    {{"expert_communication", "tokens to experts"}, links},
    {{"expert_storage", "experts from storage"}, "host link and SSD"},
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
    {"embedding_tables", "embedding tables"},
    {"embedding_optimizer_state", "embedding optimizer"},
    {"embedding_activations", "embedding activations"},
}};

constexpr std::array<std::string_view, 4> statuses{"ok", "oom_init", "oom_late", "invalid"};

constexpr std::array<std::string_view, sim::moment_count> moments{"at startup",
                                                                  "in the forward pass",
                                                                  "in the loss",
                                                                  "in the backward pass",
                                                                  "in the optimizer step",
                                                                  "while rows travel",
                                                                  "while row gradients travel"};

/// With their phrases.
constexpr std::array<Names, sim::trace_operation_count> operations{{
    {"startup", "at start-up"},
    {"embedding_forward", "in the forward pass of the embedding"},
    {"attention_forward", "in the forward pass of attention"},
    {"ffn_forward", "in the forward pass of the FFN"},
    {"head_forward", "in head and loss"},
    {"head_backward", "in the backward pass of head and loss"},
    {"attention_recompute", "in the recomputation of attention"},
    {"ffn_recompute", "in the recomputation of the FFN"},
    {"ffn_backward", "in the backward pass of the FFN"},
    {"attention_backward", "in the backward pass of attention"},
    {"embedding_backward", "in the backward pass of the embedding"},
    {"accumulate_gradients", "while gradients are accumulated"},
    {"optimizer_step", "in the optimizer step"},
    {"share_update", "while updated weights are gathered"},
}};

constexpr std::array<std::string_view, sim::track_count> tracks{
    "passes",       "host launches",   "compute",
    "tensor group", "context group",   "weights and gradients",
    "pipeline",     "embedding ranks", "next batch",
    "experts"};

template <typename Enum>
constexpr std::size_t index(Enum value) {
  return static_cast<std::size_t>(value);
}

}  // namespace

std::string_view name_of(sim::StepPart part) { return step_parts[index(part)].name; }
std::string_view name_of(sim::MemoryPart part) { return memory_parts[index(part)].name; }
std::string_view name_of(sim::StepStatus status) { return statuses[index(status)]; }
std::string_view name_of(sim::TraceOperation operation) {
  return operations[index(operation)].name;
}
std::string_view label_of(sim::StepPart part) { return step_parts[index(part)].label; }
std::string_view label_of(sim::MemoryPart part) { return memory_parts[index(part)].label; }
std::string_view label_of(sim::Track track) { return tracks[index(track)]; }
std::string_view resource_of(sim::StepPart part) { return step_parts[index(part)].resource; }
std::string_view phrase_of(sim::Moment moment) { return moments[index(moment)]; }
std::string_view phrase_of(sim::TraceOperation operation) {
  return operations[index(operation)].label;
}

}  // namespace cubicbench::results
