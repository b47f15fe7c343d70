#pragma once

#include "sim/base/units.h"
#include "sim/memory/memory_report.h"

namespace cubicbench::sim {

/// Room that is left: what the allocator can get less what must fit, before the first step or in
/// it. Negative when it does not fit.
inline Bytes margin(const MemoryReport& memory) {
  return memory.capacity - max(memory.demand, memory.demand_at_start);
}

/// Probability in [0, 1] that a run with this margin is out of memory [docs/models.md, Eq. M-9]:
///
///   P = 1 / (1 + exp((margin / capacity - 0.046) / 0.052))
///
/// Source: maximum likelihood on 2,548 runs that fitted or did not, nanotron on H100
/// (huggingface.co/spaces/nanotron/ultrascale-playbook), simulated by nanotron-2024. At a margin of
/// nothing it is 0.71. Left out: failures far from the edge, 1 in 500 of those runs. A device
/// without room has probability 1.
double oom_probability(const MemoryReport& memory);

}  // namespace cubicbench::sim
