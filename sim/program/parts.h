#pragma once

namespace cubicbench::sim {

/// Where the time of the slowest rank goes. The parts sum to the step time.
enum class StepPart {
  gemm,
  attention,
  memory_bound,
  head_and_loss,
  recompute,
  host,  ///< launching took longer than computing
  tensor_communication,
  context_communication,
  pipeline_communication,
  data_communication,
  pipeline_bubble,
  optimizer,
  allocator_retries,        ///< waiting for memory that the allocator frees and asks for again
  stragglers,               ///< waiting for the slowest GPU of the job
  embedding_lookup,         ///< reading and pooling rows, and updating them in the backward pass
  embedding_communication,  ///< pooled rows and their gradients between ranks
  input,                    ///< getting the batch: host to device, and ids to the tables' owners
  embedding_host,           ///< rows between host memory and the device
  embedding_fixed,          ///< small kernels that sort, deduplicate and split ids
  expert_communication,     ///< tokens to the ranks of their experts and back
  expert_storage,           ///< weights of experts between host memory or SSD and the device
};
inline constexpr int step_part_count = 21;

/// What is alive at the peak of the stage that needs most.
enum class MemoryPart {
  parameters,
  gradients,
  optimizer_state,
  unsharded_units,
  activations,
  logits,
  communication_buffers,
  workspace,
  embedding_tables,
  embedding_optimizer_state,
  embedding_activations,  ///< ids, pooled rows and their gradients
};
inline constexpr int memory_part_count = 11;

/// The moment of the step at which memory peaks.
enum class Moment {
  startup,
  forward,
  loss,
  backward,
  optimizer_step,
  embedding_forward,   ///< before the passes over dense layers: pooled rows travel
  embedding_backward,  ///< after them: their gradients do
};
inline constexpr int moment_count = 7;

}  // namespace cubicbench::sim
