#pragma once

#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/program/layer_shape.h"
#include "sim/program/step_program.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Appends operations of one rank and micro-batch to a program.
class OperationWriter {
 public:
  OperationWriter(const Transformer& model, const Plan& plan, const Stack& stack,
                  StepProgram& program)
      : model_(model),
        plan_(plan),
        stack_(stack),
        program_(program),
        h_(static_cast<double>(model.hidden)),
        tokens_(micro_batch_tokens(model, plan)) {}

 protected:
  Block block(double host_passes, auto body) {
    return block_of(program_.operations, host_passes, body);
  }

  /// Low-precision recipes leave head and router in 16 bits.
  Dtype whole_dtype() const { return is_quantised(plan_.dtype) ? Dtype::bf16 : plan_.dtype; }

  void gemm(const GemmShape& shape, double count, Dtype dtype, StepPart part,
            KernelRole role = KernelRole::other) {
    program_.operations.push_back({.kind = OperationKind::gemm,
                                   .role = role,
                                   .part = part,
                                   .dtype = dtype,
                                   .count = count,
                                   .gemm = shape});
  }

  void memory_bound(Bytes bytes, StepPart part) {
    program_.operations.push_back(
        {.kind = OperationKind::memory_bound, .part = part, .bytes = bytes});
  }

  /// Sums travel in 16 bits, what is gathered as `gathered` says [docs/models.md, Eq. T-6].
  void tensor_traffic(const TensorTraffic& traffic, Dtype gathered) {
    if (plan_.tensor_parallel == 1) return;
    const auto add = [&](OperationKind kind, double count, Bytes bytes) {
      collective(kind, Stream::tensor, StepPart::tensor_communication, count, bytes);
    };
    const Bytes whole{storage_bytes(plan_.param_dtype) * tokens_ * h_};
    if (!plan_.sequence_parallel) {
      add(OperationKind::all_reduce, traffic.reductions, whole);
    } else if (!is_quantised(gathered)) {
      add(OperationKind::gather, traffic.gathers + traffic.scatters, whole);
    } else {
      add(OperationKind::gather, traffic.scatters, whole);
      add(OperationKind::gather, traffic.gathers, Bytes{wire_bytes(gathered) * tokens_ * h_});
    }
  }

  /// `count` of `bytes` on a stream of collectives.
  void collective(OperationKind kind, Stream stream, StepPart part, double count, Bytes bytes) {
    program_.operations.push_back(
        {.kind = kind, .stream = stream, .part = part, .count = count, .bytes = bytes});
  }

  const Transformer& model_;
  const Plan& plan_;
  const Stack& stack_;
  StepProgram& program_;
  double h_;
  double tokens_;  ///< M
};

/// Writes what a layer's experts add to its products: routing, and tokens on their way to the
/// experts and back [docs/models.md, section X]. Gradients take the same ways back. `products` and
/// `routing`: what the time of each counts as.
void write_experts(const Transformer& model, const Plan& plan, const Stack& stack,
                   StepProgram& program, const ExpertShare& share, bool backward, StepPart products,
                   StepPart routing);

}  // namespace cubicbench::sim
