#pragma once

#include <span>

#include "sim/engine/event/block_times.h"
#include "sim/engine/event/step_script.h"
#include "sim/program/operation.h"

namespace cubicbench::sim {

/// Whether tokens travel on `stream`, to their experts or among the ranks that share one.
bool carries_tokens(Stream stream);

/// Whether a kernel computes what tokens were sent for: products of a rank's experts, grouped.
bool computes_experts(const Operation& op);

/// Adds to a block, whose kernels `times` has, the legs of its tokens' way: there before the
/// kernels of experts, which take `experts` and are marked as of leg 1, and back after them.
/// Operations tell the ways of exchanges one after the other; gathers are as much each way.
/// Exchanges between nodes and on them follow on each other, or are pipelined and one leg
/// [DeepSeekV3, section 3.2.2].
///
/// With expert_overlap these are tokens of another micro-batch: the share `hidden` runs beside all
/// kernels of the block, the rest after them; what ranks send that share an expert is never hidden.
void add_legs(std::span<const Operation> operations, SimTime experts, double hidden,
              const BlockPlace& on, BlockTimes& times);

/// `share` of one pass over the experts.
ExpertTimes part_of(const ExpertTimes& whole, double share);

}  // namespace cubicbench::sim
