#pragma once

#include "sim/program/operation_writer.h"

namespace cubicbench::sim {

/// Writes the blocks of one kind of layer, each in the order in which the host launches it.
class LayerWriter : OperationWriter {
 public:
  LayerWriter(const Transformer& model, const Plan& plan, const Stack& stack, StepProgram& program,
              bool with_experts);
  void write();

 private:
  /// Parts that the time of a pass over the layer counts as.
  struct Parts {
    StepPart gemm = StepPart::gemm;
    StepPart attention = StepPart::attention;
    StepPart memory_bound = StepPart::memory_bound;
  };

  void forward(const Parts& parts);
  void recompute();
  void backward();
  void weight_gradients();
  void stored_experts(bool returns_gradients);

  double launches() const;  ///< of a forward pass, over those of a dense layer in 16 bits
  double recompute_passes() const;
  Dtype dtype_of(const LayerProduct& product) const;
  void product(const LayerProduct& product, double share, StepPart part);
  void weight_gradient(const LayerProduct& product);
  void attention(OperationKind kind, StepPart part);
  double ring_blocks() const;
  void element_wise(double passes, StepPart part);
  void quantise(double elements_a_token, StepPart part);
  void context_traffic(double passes);

  LayerShape shape_;
};

}  // namespace cubicbench::sim
