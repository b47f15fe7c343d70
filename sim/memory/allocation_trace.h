#pragma once

#include "sim/hardware/stack.h"
#include "sim/memory/trace_event.h"
#include "sim/plan/plan.h"
#include "sim/program/step_program.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Steps in a trace. Adam's moments appear at the end of the first; in the second they have settled
/// among the cached blocks, and a third takes no more.
inline constexpr int trace_steps = 2;

/// Are the tensors of the model's layers known one by one? Not those of experts, of latent
/// attention and of prediction layers.
inline bool traces_layers(const Transformer& model) {
  const LayerKinds kinds = layer_kinds(model);
  return kinds.count == 1 && kinds.list[0] == LayerKind{} && model.prediction_layers == 0 &&
         !has_adapters(model);
}

/// Writes into `trace` what a rank of the first stage of `run`, one of `program.runs`, asks of its
/// allocator over the first steps; `holder` is the run's in `program.allocations`
/// [docs/models.md, Eq. M-21 to M-24].
///
/// Order and sizes are nanotron's, tensor by tensor (github.com/huggingface/nanotron,
/// models/llama.py, parallel/tensor_parallel, optim/, early 2025); what a layer keeps is scaled to
/// what `stack` keeps, so that trace and closed form hold the same activations. Left out: tensors
/// that do not grow with the model, exchanges of context parallelism, and micro-batches that
/// repeat a full pipeline.
///
/// Requires traces_layers(model).
void write_trace(const Transformer& model, const Plan& plan, const Stack& stack,
                 const StepProgram& program, const StageRun& run, const Holder& holder,
                 const PassTimes& times, AllocationTrace& trace);

}  // namespace cubicbench::sim
