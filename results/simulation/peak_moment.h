#pragma once

#include <string>
#include <string_view>

#include "scenarios/evaluation/stage_replay.h"
#include "sim/memory/trace_event.h"

namespace cubicbench::results {

/// The name that files use: "ffn_backward".
std::string_view name_of(sim::TraceOperation operation);

/// When most was alive in the replay, and what, in one sentence: "peak of the replay: 61.2 GiB in
/// the backward pass of the FFN, micro-batch 3 of stage 0, activations 40.1 GiB, .."
std::string peak_moment_text(const scenarios::StageReplay& replay);

}  // namespace cubicbench::results
