#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "sim/hardware/stack.h"
#include "sim/kernels/kernels.h"
#include "sim/plan/plan.h"
#include "sim/program/expert_share.h"
#include "sim/program/operation.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// A product with weights of a layer, on one rank.
struct LayerProduct {
  GemmShape shape;
  KernelRole role = KernelRole::feed_forward;
  double count = 1.0;
  bool quantised = true;       ///< with the other products; else in 16 bits
  bool up_projection = false;  ///< of latent attention's vectors, which selective recomputes
  bool frozen = false;         ///< its weights have no gradient
};

/// Half-collectives of a micro-batch's activations with sequence parallelism, else `reductions`
/// whole ones, among the tensor-parallel ranks. Of a width other than h by its ratio.
struct TensorTraffic {
  double gathers = 0.0;
  double scatters = 0.0;
  double reductions = 0.0;
};

/// What one rank computes and moves in a layer, for a micro-batch of M tokens.
struct LayerShape {
  std::array<LayerProduct, 12> list{};
  std::size_t product_count = 0;
  AttentionShape attention;       ///< of the layer's mixer; no queries where it has none
  ScanShape scan;                 ///< of a state-space mixer, forward
  ScanShape scan_backward;        ///< and backward
  double element_whole = 0.0;     ///< element-wise accesses a token, in elements
  double element_split = 0.0;     ///< and those of tensors that tensor ranks share
  double fixed_forward = 0.0;     ///< of kernels that are the same in every stack
  double fixed_backward = 0.0;    ///< and of those backward
  double inputs = 0.0;            ///< elements that products read, a token
  double output_gradients = 0.0;  ///< and those that backward products read
  TensorTraffic forward;
  TensorTraffic backward;
  double regathered = 0.0;  ///< of backward's gathers, inputs of weights' gradients
  double exchanged = 0.0;   ///< elements of keys and values, a token, by context parallelism
  double heads_out = 0.0;   ///< elements of queries, keys and values that heads are exchanged in
  double heads_back = 0.0;  ///< and of what attention returns
  AdaptedProducts adapted;  ///< on this rank
  ExpertShare share;        ///< where it has experts

  std::span<const LayerProduct> products() const { return {list.data(), product_count}; }
  void add(const LayerProduct& product) { list[product_count++] = product; }
};

/// Of a layer of `kind`, for one micro-batch.
LayerShape layer_shape(const Transformer& model, const Plan& plan, const Stack& stack,
                       LayerKind kind);

/// Weights of one rank's part of a layer, routed experts left out. Ranks share those of adapters.
double rank_layer_parameters(const Transformer& model, const Plan& plan, LayerKind kind);

/// Of them, those that are trained: all, or adapters.
double rank_trained_parameters(const Transformer& model, const Plan& plan, LayerKind kind);

/// Of one rank's share of a layer's routed experts.
double rank_expert_parameters(const Transformer& model, const Plan& plan);

/// Columns of the head on one rank. Tensor ranks get equal shares, so that the vocabulary is padded
/// to 128 columns a rank; a head that is whole is taken as it is [docs/models.md, Eq. K-7].
double rank_vocabulary(const Transformer& model, const Plan& plan);

}  // namespace cubicbench::sim
