#pragma once

#include "sim/hardware/stack.h"

namespace cubicbench::sim {

enum class Optimizer { sgd, adam, adamw, rowwise_adagrad, adam_8bit, muon };

/// What an optimizer keeps and does for the weights that it updates, so that nothing else asks for
/// one by name.
struct OptimizerTraits {
  double moments = 0.0;       ///< numbers kept of every weight, each read and written by an update
  double moment_bytes = 0.0;  ///< of one in a format of its own; 0: fp32, or as the stack keeps it
  double row_bytes = 0.0;     ///< and bytes of every row of a table, whatever its width
  bool of_rows = false;       ///< updates rows of tables alone
  /// Newton-Schulz steps that orthogonalise the momentum of each hidden matrix, which has to be
  /// whole for them; 0: every weight is updated by itself.
  int orthogonalising_steps = 0;
  double matrix_moments = 0.0;  ///< kept of weights in such matrices, in place of `moments`
};

/// A number in one byte, and the fp32 scale of each block of 256 (Optimizer2State of
/// github.com/bitsandbytes-foundation/bitsandbytes; blocks of 2,048 in [Dettmers22, section 2.1]).
inline constexpr double blockwise_byte = 1.0 + 4.0 / 256.0;

/// Adam and AdamW keep both moments of a gradient [Kingma15]; Adagrad by rows one sum of squares
/// in fp32 for each row (EXACT_ROWWISE_ADAGRAD of github.com/pytorch/FBGEMM). Muon keeps a momentum
/// of hidden matrices and takes five steps; all other weights have AdamW [Moonlight25, section 2].
constexpr OptimizerTraits traits(Optimizer optimizer) {
  switch (optimizer) {
    case Optimizer::sgd:
      return {};
    case Optimizer::adam:
    case Optimizer::adamw:
      return {.moments = 2.0};
    case Optimizer::rowwise_adagrad:
      return {.row_bytes = 4.0, .of_rows = true};
    case Optimizer::adam_8bit:
      return {.moments = 2.0, .moment_bytes = blockwise_byte};
    case Optimizer::muon:
      return {.moments = 2.0, .orthogonalising_steps = 5, .matrix_moments = 1.0};
  }
  return {};
}

constexpr bool updates_matrices(Optimizer optimizer) {
  return traits(optimizer).orthogonalising_steps > 0;
}

/// Bytes of a moment as updates read and write it, and of all of a weight.
constexpr double moment_bytes(Optimizer optimizer) {
  const double own = traits(optimizer).moment_bytes;
  return own > 0.0 ? own : 4.0;
}
constexpr double state_bytes(Optimizer optimizer) {
  return moment_bytes(optimizer) * traits(optimizer).moments;
}

/// And what a stack keeps of them between updates.
constexpr double kept_moment_bytes(Optimizer optimizer, const Stack& stack) {
  const double own = traits(optimizer).moment_bytes;
  return traits(optimizer).moments * (own > 0.0 ? own : stack.adam_bytes / 2.0);
}

/// Share of both that a weight of a hidden matrix does without.
constexpr double matrix_state_saved(Optimizer optimizer) {
  const OptimizerTraits kept = traits(optimizer);
  return kept.orthogonalising_steps > 0 ? 1.0 - kept.matrix_moments / kept.moments : 0.0;
}

}  // namespace cubicbench::sim
