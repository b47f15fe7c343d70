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
  template <typename Body>
  void block(BlockId id, double host_passes, Body body) {
    program_.blocks[static_cast<std::size_t>(id)] =
        block_of(program_.operations, host_passes, body);
  }

  /// Low-precision recipes leave head and router in 16 bits.
  Dtype whole_dtype() const { return plan_.dtype >= Dtype::fp8 ? Dtype::bf16 : plan_.dtype; }

  void gemm(const GemmShape& shape, double count, Dtype dtype, StepPart part);
  void memory_bound(Bytes bytes, StepPart part);

  /// Sums travel in 16 bits, what is gathered as `gathered` says [docs/models.md, Eq. T-6].
  void tensor_traffic(const TensorTraffic& traffic, Dtype gathered);

  /// `count` of `bytes` on a stream of collectives.
  void collective(OperationKind kind, Stream stream, StepPart part, double count, Bytes bytes);

  const Transformer& model_;
  const Plan& plan_;
  const Stack& stack_;
  StepProgram& program_;
  double h_;
  double tokens_;  ///< M
};

}  // namespace cubicbench::sim
