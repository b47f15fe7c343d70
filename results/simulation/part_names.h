#pragma once

#include <string_view>

#include "sim/engine/step_report.h"

namespace cubicbench::results {

/// The names that files use: "gemm", "optimizer_state", "oom_late".
std::string_view name_of(sim::StepPart part);
std::string_view name_of(sim::MemoryPart part);
std::string_view name_of(sim::StepStatus status);

/// The same for people, at most 24 characters: "matrix products", "optimizer state".
std::string_view label_of(sim::StepPart part);
std::string_view label_of(sim::MemoryPart part);

/// What of the machine a part of the step waits for: "tensor cores", "memory bandwidth",
/// "NVLink and network", "host", "other stages".
std::string_view resource_of(sim::StepPart part);

/// When memory peaks, as the end of a sentence: "in the backward pass".
std::string_view phrase_of(sim::Moment moment);

}  // namespace cubicbench::results
