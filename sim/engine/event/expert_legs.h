#pragma once

#include "sim/engine/event/block_times.h"
#include "sim/engine/event/step_script.h"
#include "sim/program/operation.h"

namespace cubicbench::sim {

/// Whether tokens travel on `stream`, to their experts or among the ranks that share one.
bool carries_tokens(Stream stream);

/// Adds traffic of tokens to a block whose operations come in order: as a leg of its own after the
/// kernels so far, or, where traffic between nodes and on them is pipelined [DeepSeekV3, section
/// 3.2.2], as part of the leg that has just begun.
void add_tokens(const Operation& op, const BlockPlace& on, BlockTimes& times);

/// Says which legs lead to the experts and which back; and, with `hidden` > 0, lets this share of
/// each run beside all kernels of the block, the rest after them: tokens of another micro-batch.
void finish_legs(double hidden, BlockTimes& times);

/// `share` of one pass over the experts.
ExpertTimes part_of(const ExpertTimes& whole, double share);

}  // namespace cubicbench::sim
