#pragma once

#include <array>
#include <cstdint>

#include "sim/base/units.h"
#include "sim/program/parts.h"

namespace cubicbench::sim {

/// The memory of the stage that needs most, at the moment of the step at which it peaks.
struct MemoryReport {
  std::array<Bytes, memory_part_count> parts{};  ///< whole bytes; they sum to `allocated`
  Bytes allocated;                               ///< live tensors
  Bytes demand;           ///< what must fit: live tensors and what the allocator loses beside them
  Bytes demand_at_start;  ///< the same before the first step, of the stage that needs most then
  Bytes reserved;         ///< what the allocator holds after some steps, its cache included
  Bytes capacity;         ///< what the allocator can get: the device less context and NCCL
  std::int64_t stage = 0;
  Moment moment = Moment::forward;

  bool operator==(const MemoryReport&) const = default;
};

/// Share by which a step takes longer because memory is nearly full [docs/models.md, Eq. M-7]:
///
///   0.10 * clamp((demand / capacity - 0.95) / 0.05, 0, 1)
///
/// An allocation that finds no room makes the caching allocator wait for the device, give cached
/// blocks back and ask the driver anew [FSDP23, section 3.4]. Source of the size: a middle between
/// published runs of MPT-30B and MPT-70B that nearly fill their GPUs (11 to 18 % longer than their
/// neighbours with room; github.com/mosaicml/llm-foundry, 2023) and of Llama 3 405B on 8,192 GPUs
/// (hardly longer). Left out: retries depend on the order of allocations. Requires a device with
/// room; of what does not fit, as a launch may that runs all the same, it is that of a full one.
inline double retry_share(const MemoryReport& memory) {
  constexpr double begins = 0.95;
  constexpr double when_full = 0.10;
  const double filled = memory.demand / memory.capacity;
  if (!(filled > begins)) return 0.0;  // nor where no memory was looked at
  return filled < 1.0 ? when_full * (filled - begins) / (1.0 - begins) : when_full;
}

/// What must fit, before the first step or in it.
inline Bytes largest_demand(const MemoryReport& memory) {
  return max(memory.demand, memory.demand_at_start);
}

/// Room that is left: what the allocator can get less what must fit. Negative when it does not fit.
inline Bytes margin(const MemoryReport& memory) { return memory.capacity - largest_demand(memory); }

/// Probability in [0, 1] that a run with this margin is out of memory [docs/models.md, Eq. M-9]:
///
///   P = 1 / (1 + exp((margin / capacity - 0.046) / 0.052))
///
/// Source: maximum likelihood on 2,548 runs that fitted or did not, nanotron on H100
/// (huggingface.co/spaces/nanotron/ultrascale-playbook), simulated by nanotron-2024. At a margin of
/// nothing it is 0.71. Left out: failures far from the edge, 1 in 500 of those runs. A device
/// without room has probability 1.
double oom_probability(const MemoryReport& memory);

/// Where oom_probability lies between these it is a matter of luck, elsewhere it is certain.
inline constexpr double oom_luck_min = 0.001;
inline constexpr double oom_luck_max = 0.999;

/// What one run needs over the demand that the model has for it, as a function of its luck `u` in
/// [0, 1) [docs/models.md, Eq. J-10]: the inverse of M-9, so that of a uniform `u` the product
/// factor x demand exceeds the capacity with oom_probability, and surely or never beyond its limits
/// above.
///
///   1 / (1 - 0.046 + 0.052 ln(u / (1 - u))), u clamped to [0.001, 0.999]
///
/// In (0.76, 1.69), 1.05 for every second run.
double demand_factor(double u);

}  // namespace cubicbench::sim
