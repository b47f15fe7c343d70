#pragma once

#include "sim/hardware/stack.h"
#include "sim/plan/plan.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Widths of the tensors of a layer that element-wise kernels pass over, on one rank.
struct ElementWidths {
  double parts = 2.0;       ///< of the layer, each with a norm and a residual sum
  double queries = 0.0;     ///< of all its heads
  double keys = 0.0;        ///< and of the keys that positions are embedded in
  double attended = 0.0;    ///< queries, keys and values, which are brought in attention's order
  double activation = 0.0;  ///< of FFNs, a token
  double latent = 0.0;      ///< of vectors with norms of their own
};

/// Bytes of 16-bit elements that a layer's element-wise kernels move a token in its forward pass,
/// of tensors that tensor ranks hold whole (with sequence parallelism those of their own tokens),
/// and of those that they share [docs/models.md, Eq. K-10].
struct ElementBytes {
  double whole = 0.0;
  double split = 0.0;
};

/// Counted from the kernels that `stack.fusion` leaves, compiled ones where the plan compiles.
ElementBytes element_bytes(const Transformer& model, const Plan& plan, const Stack& stack,
                           const ElementWidths& widths);

/// Kernels that a layer of `kind` launches in its forward pass, experts as one FFN [docs/models.md,
/// Eq. E-6].
double forward_launches(const Transformer& model, const Plan& plan, const Stack& stack,
                        LayerKind kind);

}  // namespace cubicbench::sim
