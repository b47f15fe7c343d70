#pragma once

#include <cstdint>

#include "sim/program/step_program.h"

namespace cubicbench::sim {

/// Bytes that the operations of one block move on one stream, each as often as it is done.
inline double bytes_on(const StepProgram& program, const Block& block, Stream stream) {
  double sum = 0.0;
  for (std::uint32_t i = block.begin; i < block.end; ++i) {
    const Operation& op = program.operations[i];
    if (op.stream == stream) sum += op.count * op.bytes.value;
  }
  return sum;
}

}  // namespace cubicbench::sim
