#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/hardware/stack.h"
#include "sim/memory/trace_event.h"
#include "sim/plan/plan.h"
#include "sim/program/weights.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Bytes of the tensors of one layer on one rank.
struct LayerSizes {
  double shared = 0.0;       ///< hidden-wide, whole without sequence parallelism
  double whole = 0.0;        ///< hidden-wide, of all tokens
  double heads = 0.0;        ///< as wide as this rank's heads
  double keys = 0.0;         ///< as wide as its key heads
  double ffn = 0.0;          ///< as wide as its part of the FFN
  double up = 0.0;           ///< output of the first product of the FFN
  double log_sums = 0.0;     ///< fp32, one a head and token
  double scale = 1.0;        ///< of what is kept: what the stack keeps over what is listed here
  double scale_whole = 1.0;  ///< the same of a layer that is recomputed as a whole
};

/// Parameters of the matrices of one layer on one rank.
struct LayerMatrices {
  double qkv = 0.0;
  double out = 0.0;
  double up = 0.0;
  double down = 0.0;
};

/// What a layer keeps from its forward to its backward pass.
struct Kept {
  Tensor input = no_tensor;
  Tensor first_norm = no_tensor;
  Tensor queries = no_tensor;  ///< of heads as many as keys: the whole first product
  Tensor keys = no_tensor;     ///< and values
  Tensor attended = no_tensor;
  Tensor log_sums = no_tensor;
  Tensor middle = no_tensor;  ///< input of the second norm
  Tensor second_norm = no_tensor;
  Tensor up = no_tensor;
  Tensor activated = no_tensor;
  Tensor product = no_tensor;  ///< only gated
};

enum class LayerPass {
  only,   ///< a forward pass whose kept tensors wait for the backward pass
  first,  ///< one of which the input alone is kept
  again,  ///< the same, recomputed in the backward pass
};

/// The forward and backward pass of one layer.
class LayerTrace {
 public:
  LayerTrace(const Transformer& model, const Plan& plan, const Stack& stack, const PassTimes& times,
             TraceWriter& writer);

  const LayerSizes& size() const { return size_; }
  const LayerMatrices& matrices() const { return matrices_; }

  /// Takes `input`, returns the output.
  Tensor forward(Tensor input, std::int64_t micro_batch, LayerPass pass, Kept& kept);

  /// All but the input goes.
  void forget(Kept& kept);

  /// Takes the gradient of the output, returns that of the input. Gradients of weights are added to
  /// `gradients` when they live until the end of the pass.
  Tensor backward(Tensor gradient, std::int64_t micro_batch, Kept& kept,
                  std::vector<Tensor>& gradients);

  /// Of one matrix, in one backward pass.
  void weight_gradient(double parameters, std::vector<Tensor>& gradients);

  /// Of matrix products, taken by the first one of each thread.
  void first_workspace() { workspace(forward_workspace_); }
  void backward_workspace() { workspace(backward_workspace_); }

  /// The product of parts, summed over the tensor-parallel ranks. `input` goes after it.
  Tensor row_product(Tensor input);

  /// The gradient of what was gathered, summed and scattered. `used` goes once it is computed.
  Tensor scattered_gradient(double parameters, std::vector<Tensor>& gradients,
                            Tensor used = no_tensor);

  /// What a collective has read goes when the device has passed it.
  void drop_gathered(Tensor tensor) { out_.drop(tensor, scatters_); }

 private:
  void workspace(bool& taken);

  /// Keys and values are copied beside each other; queries turn in place, inside the copy of the
  /// first product when heads and key heads are as many, else in a copy of their own.
  void rotate(double scale, Kept& kept);

  Tensor ffn(Tensor gradient, std::int64_t micro_batch, Kept& kept, std::vector<Tensor>& gradients);

  Tensor activation_gradient(Tensor product, Kept& kept);

  /// The gradient of a norm's input and the one that went round it.
  Tensor joined(Tensor round, Tensor scattered, Tensor& input);

  Tensor attention(Tensor gradient, std::int64_t micro_batch, Kept& kept,
                   std::vector<Tensor>& gradients);

  /// Returns the gradient of the first product.
  Tensor attention_kernel(Tensor attended, Kept& kept);

  const Transformer& model_;
  const Plan& plan_;
  const Stack& stack_;
  TraceWriter& out_;
  LayerSizes size_;
  LayerMatrices matrices_;
  bool scatters_;  ///< sequence parallelism: gathers before and scatters after products
  bool copies_;    ///< attention's output is not laid out as the product reads it
  Tensor gathered_ = no_tensor;
  Tensor gathered_back_ = no_tensor;
  bool forward_workspace_ = false;
  bool backward_workspace_ = false;
  std::int32_t attention_forward_ = 0;
  std::int32_t ffn_forward_ = 0;
  std::int32_t ffn_backward_ = 0;
  std::int32_t attention_backward_ = 0;
};

/// The whole weights that a rank of an FSDP mode holds while it computes, and the whole gradients
/// that it hands to the reduction, layer by layer. Writes nothing in other modes.
class GatheredUnits {
 public:
  GatheredUnits(const WeightTraffic& traffic, const Plan& plan, const WeightUnits& weights,
                double layers, TraceWriter& writer);

  void begin_pass();  ///< either way
  void before_forward(std::size_t layer);
  void after_forward(std::size_t layer);
  void before_backward(std::size_t layer);
  void after_backward(std::size_t layer);
  void end_backward();
  void end_step();

 private:
  std::size_t unit_of(std::size_t layer) const { return layer / wrap_; }
  void gather(std::size_t unit);  ///< that memory does not hold yet
  void free(std::size_t unit);

  TraceWriter& out_;
  WeightSchedule schedule_;
  std::size_t wrap_ = 1;
  std::size_t layers_ = 0;
  double unit_bytes_ = 0.0;
  double end_bytes_ = 0.0;
  double gradient_bytes_ = 0.0;
  double end_gradient_bytes_ = 0.0;
  std::vector<Tensor> units_;
  Tensor ends_ = no_tensor;
};

}  // namespace cubicbench::sim
