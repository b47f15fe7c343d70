#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "sim/plan/plan.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Weight matrices of one shape, whole.
struct WeightMatrix {
  double rows = 0.0;  ///< the shorter side
  double columns = 0.0;
  double count = 1.0;  ///< on a rank
  double ranks = 1.0;  ///< of a tensor group, that hold an equal part of each

  constexpr double parameters() const { return rows * columns; }
};

/// The hidden matrices of a layer, those that no norm, embedding or head is, on one rank.
struct HiddenMatrices {
  std::array<WeightMatrix, 8> list{};
  std::size_t count = 0;

  std::span<const WeightMatrix> all() const { return {list.data(), count}; }
};

/// What an update that needs whole matrices does beside streaming weights and their state
/// [docs/models.md, Eq. K-11].
struct MatrixUpdate {
  int steps = 0;                     ///< Newton-Schulz steps a matrix; 0: no matrix has to be whole
  double bytes_per_parameter = 0.0;  ///< streamed of hidden matrices, over those of other weights
  bool slices_each = false;          ///< ranks that share the state hold a slice of each matrix
  PerKind<HiddenMatrices> layers{};  ///< without routed experts
  HiddenMatrices experts{};          ///< of a layer
};

/// Of one rank. A head of keys that several tensor ranks hold is counted on each.
HiddenMatrices hidden_matrices(const Transformer& model, const Plan& plan, LayerKind kind);
HiddenMatrices expert_matrices(const Transformer& model, const Plan& plan);

/// Fills `update`, which is left as it is except for its steps where `plan` updates every weight by
/// itself.
void write_matrix_update(const Transformer& model, const Plan& plan, MatrixUpdate& update);

/// Weights of a rank in `matrices`.
double rank_parameters(const HiddenMatrices& matrices);

/// Of `matrices` matrices of a rank those that it makes whole, as a share, where `shards` ranks
/// share their state. A slice of each: all of them. A range of all weights one after the other
/// (ZeRO-1) reaches into 1 / shards of them and on average into one more.
inline double reached_share(double shards, double matrices, bool slices_each) {
  return slices_each ? 1.0 : std::min(1.0, 1.0 / shards + 1.0 / std::max(matrices, 1.0));
}

/// And those that it has to gather, without its own part of what it reaches into: of so many whole
/// ones a gather brings as much.
inline double gathered_share(double shards, double reached) {
  return shards > 1.0 ? (reached - 1.0 / shards) / (1.0 - 1.0 / shards) : 0.0;
}

/// Bytes of the device while the largest of `matrices` is orthogonalised, in 16 bits: the matrix,
/// its next value, and two products of the shorter side's square.
double orthogonalising_bytes(const HiddenMatrices& matrices);

}  // namespace cubicbench::sim
