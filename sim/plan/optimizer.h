#pragma once

#include "sim/hardware/stack.h"

namespace cubicbench::sim {

enum class Optimizer { sgd, adam, adamw, rowwise_adagrad, adam_8bit };

/// What an optimizer keeps and does for the weights that it updates, so that nothing else asks for
/// one by name.
struct OptimizerTraits {
  double moments = 0.0;       ///< numbers kept of every weight, each read and written by an update
  double moment_bytes = 0.0;  ///< of one in a format of its own; 0: fp32, or as the stack keeps it
  double row_bytes = 0.0;     ///< and bytes of every row of a table, whatever its width
  bool of_rows = false;       ///< updates rows of tables alone
};

/// A number in one byte, and the fp32 scale of each block of 256 (Optimizer2State of
/// github.com/bitsandbytes-foundation/bitsandbytes; blocks of 2,048 in [Dettmers22, section 2.1]).
inline constexpr double blockwise_byte = 1.0 + 4.0 / 256.0;

/// Adam and AdamW keep both moments of a gradient [Kingma15]; Adagrad by rows one sum of squares
/// in fp32 for each row (EXACT_ROWWISE_ADAGRAD of github.com/pytorch/FBGEMM).
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
  }
  return {};
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

}  // namespace cubicbench::sim
