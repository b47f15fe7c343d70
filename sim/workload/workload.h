#pragma once

#include <variant>

#include "sim/workload/recommendation.h"
#include "sim/workload/transformer.h"

namespace cubicbench::sim {

/// Whatever is trained.
using Workload = std::variant<Transformer, Recommendation>;

}  // namespace cubicbench::sim
