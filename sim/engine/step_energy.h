#pragma once

#include <array>
#include <cstddef>

#include "sim/base/units.h"
#include "sim/engine/step_report.h"
#include "sim/hardware/device.h"
#include "sim/program/parts.h"

namespace cubicbench::sim {

/// Power of a GPU that waits within a step over that of its board, where its file has none
/// [docs/models.md, Eq. U-2]: 85 of 300 W. Between 0.2 and 0.5.
/// Source: what blocking costs a pipeline stage by default in the code of [Perseus24], on boards of
/// 300 W.
inline constexpr double typical_waiting_share = 85.0 / 300.0;

/// How long the slowest rank computes in a step: what its kernels take that nothing hides. In the
/// rest of the step it waits: for its host, the network, other stages and GPUs, or for memory.
/// Requires a step with a time.
inline Seconds busy_time(const StepReport& report) {
  constexpr std::array kernels{StepPart::gemm,
                               StepPart::attention,
                               StepPart::memory_bound,
                               StepPart::head_and_loss,
                               StepPart::recompute,
                               StepPart::optimizer,
                               StepPart::embedding_lookup,
                               StepPart::embedding_fixed};
  Seconds busy;
  for (const StepPart part : kernels) busy += report.parts[static_cast<std::size_t>(part)];
  return busy;
}

/// Joules that a GPU takes in a step of `step`, of which it computes `busy` [docs/models.md, Eq.
/// U-1]:
///
///   E = P_waiting step + (P_board - P_waiting) busy
///
/// Source: the solver of [Perseus24], which splits the energy of a step the same way. Left out:
/// kernels that draw less than the board may, ranks that compute less than the slowest, clocks,
/// hosts, switches and cooling.
/// Requires 0 <= busy <= step and a device with both powers.
constexpr double gpu_step_energy_j(const Device& device, Seconds step, Seconds busy) {
  return device.waiting_watts * step.value +
         (device.board_watts - device.waiting_watts) * busy.value;
}

}  // namespace cubicbench::sim
