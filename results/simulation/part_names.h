#pragma once

#include <string_view>

#include "sim/engine/event/span_log.h"
#include "sim/engine/step_report.h"
#include "sim/memory/trace_event.h"

namespace cubicbench::results {

/// The names that files use: "gemm", "optimizer_state", "oom_late", "ffn_backward".
std::string_view name_of(sim::StepPart part);
std::string_view name_of(sim::MemoryPart part);
std::string_view name_of(sim::StepStatus status);
std::string_view name_of(sim::TraceOperation operation);

/// The same for people, at most 23 characters: "matrix products", "optimizer state".
std::string_view label_of(sim::StepPart part);
std::string_view label_of(sim::MemoryPart part);

/// A row of a rank's timeline: "weights and gradients".
std::string_view label_of(sim::Track track);

/// What of the machine a part of the step waits for: "tensor cores", "memory bandwidth",
/// "NVLink and network", "host", "other stages".
std::string_view resource_of(sim::StepPart part);

/// When memory peaks, as the end of a sentence: "in the backward pass", and of the replay "in the
/// backward pass of the FFN".
std::string_view phrase_of(sim::Moment moment);
std::string_view phrase_of(sim::TraceOperation operation);

}  // namespace cubicbench::results
