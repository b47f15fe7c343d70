#pragma once

#include "sim/hardware/stack.h"

namespace cubicbench::sim {

enum class Optimizer { sgd, adam, adamw, rowwise_adagrad };

/// What an optimizer keeps and does for the weights that it updates, so that nothing else asks for
/// one by name.
struct OptimizerTraits {
  double moments = 0.0;    ///< numbers kept of every weight, each read and written by an update
  double row_bytes = 0.0;  ///< and bytes of every row of a table, whatever its width
  bool of_rows = false;    ///< updates rows of tables alone
};

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
  }
  return {};
}

/// Bytes of a moment in fp32, as updates read and write it.
inline constexpr double moment_bytes = 4.0;

/// Of all of a weight; and what a stack keeps of them between updates.
constexpr double state_bytes(Optimizer optimizer) {
  return moment_bytes * traits(optimizer).moments;
}
constexpr double kept_moment_bytes(Optimizer optimizer, const Stack& stack) {
  return traits(optimizer).moments * (stack.adam_bytes / 2.0);
}

}  // namespace cubicbench::sim
