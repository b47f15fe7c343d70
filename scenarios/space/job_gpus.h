#pragma once

#include <cstdint>
#include <string>

#include "scenarios/space/constraint_slots.h"

namespace cubicbench::scenarios {

/// How many GPUs a job that takes `gpus` of the cluster should take instead: no more than there
/// are, and whole nodes or part of one. "a multiple of /cluster/gpus_per_node (8)", to go on after
/// "expected "; empty where nothing is wrong.
std::string expected_gpus(std::int64_t gpus, const SpaceFacts& facts);

}  // namespace cubicbench::scenarios
